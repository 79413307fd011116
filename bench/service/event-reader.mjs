import { connect } from 'node:net';

/** Follows a job on a plain socket; `onText` sees what arrives. With `paused` it never reads. */
export function followJob({ url, key, jobId, onText, paused = false }) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  return new Promise((resolve, reject) => {
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('connect', () => {
      socket.write(`GET /api/jobs/${jobId}/progress HTTP/1.1\r\nhost: bench\r\nx-api-key: ${key}\r\n\r\n`);
      if (paused) resolve(socket);
    });
    if (paused) return;
    socket.on('data', (text) => {
      onText(text);
      if (text.includes(': connected')) resolve(socket);
    });
  });
}
