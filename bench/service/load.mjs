import { connect } from 'node:net';

/**
 * A load generator on plain sockets: each connection sends its next request when the answer to the last one is complete.
 * Node's own HTTP client costs more than the service it would measure on the same cores.
 */

/** Runs `seconds` after a warm-up that is not counted. `onAnswer(status, body)` sees every answer, also those of the warm-up. */
export async function drive({ url, request, connections, seconds, warmUpSeconds = 0.5, pauseMs = 0, onAnswer = () => {} }) {
  const { hostname, port } = new URL(url);
  const times = [];
  const statuses = {};
  const startsAt = performance.now() + warmUpSeconds * 1000;
  const endsAt = startsAt + seconds * 1000;
  const exchange = (answer) => {
    onAnswer(answer.status, answer.body);
    if (answer.at < startsAt || answer.at > endsAt) return;
    times.push(answer.ms);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: connections }, () => converse({ hostname, port, request, endsAt, pauseMs, exchange })));
  return { perSecond: times.length / seconds, ...percentiles(times), statuses };
}

/** The body of the first answer. */
export async function textOf(url, request) {
  let text = '';
  await drive({ url, request: () => request, connections: 1, seconds: 0.01, warmUpSeconds: 0, onAnswer: (_status, body) => (text ||= body) });
  return text;
}

export function percentiles(times) {
  const sorted = Float64Array.from(times).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** One request's bytes. */
export function requestBytes(method, path, headers = {}, body = '') {
  const lines = Object.entries({
    host: 'bench',
    ...headers,
    ...(body !== '' && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  });
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`);
}

function converse({ hostname, port, request, endsAt, pauseMs, exchange }) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let text = '';
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      if (sentAt >= endsAt) socket.end(resolve);
      else socket.write(request());
    };
    socket.setEncoding('latin1');
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', resolve);
    socket.on('data', (chunk) => {
      text = text === '' ? chunk : text + chunk;
      const bodyAt = text.indexOf('\r\n\r\n') + 4;
      if (bodyAt === 3) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, bodyAt))?.[1]);
      if (text.length < bodyAt + length) return;
      const at = performance.now();
      exchange({ status: Number(text.slice(9, 12)), body: text.slice(bodyAt), ms: at - sentAt, at });
      text = '';
      if (pauseMs === 0) send();
      else setTimeout(send, pauseMs);
    });
  });
}
