import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends bytes as they are and reads until the server closes, or until the text appears. */
export function sendRaw(address: string, bytes: string, until?: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const finish = (): void => {
      socket.destroy();
      resolve(parseRaw(text));
    };
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (until !== undefined && text.includes(until)) finish();
    });
    socket.on('error', reject);
    socket.on('end', finish);
    socket.write(bytes);
  });
}

function parseRaw(text: string): RawAnswer {
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
  return { status: Number(first.split(' ')[1]), headers, body };
}
