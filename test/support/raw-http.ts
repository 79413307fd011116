import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends raw bytes and reads until the server closes or `until` appears in the response. */
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

/** Sends raw bytes and returns all responses until the server closes or is silent for `quietMs`. */
export function exchange(address: string, bytes: string | Buffer | readonly (string | Buffer)[], quietMs = 400): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(splitAnswers(Buffer.concat(chunks)));
    };
    let timer = setTimeout(finish, Math.max(5000, quietMs));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      clearTimeout(timer);
      timer = setTimeout(finish, quietMs);
    });
    // A server that refuses the request may close before it has read all of it.
    socket.on('error', finish);
    socket.on('close', finish);
    for (const part of typeof bytes === 'string' || Buffer.isBuffer(bytes) ? [bytes] : bytes)
      socket.write(part, typeof part === 'string' ? 'latin1' : undefined);
  });
}

/** Splits by Content-Length; a response without one takes the rest. */
function splitAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    const head = parseRaw(rest.subarray(0, end < 0 ? rest.length : end + 4).toString('latin1'));
    if (end >= 0 && head.status >= 100 && head.status < 200) {
      rest = rest.subarray(end + 4);
      continue;
    }
    const length = end < 0 ? 0 : Number(head.headers['content-length'] ?? rest.length);
    answers.push({ ...head, body: rest.subarray(end + 4, end + 4 + length).toString('utf8') });
    rest = end < 0 ? Buffer.alloc(0) : rest.subarray(end + 4 + length);
  }
  return answers;
}
