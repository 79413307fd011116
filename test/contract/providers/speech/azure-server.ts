import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RawData, WebSocketServer } from 'ws';

/** What Azure's Speech service says over its WebSocket, as far as speaking goes: https://aka.ms/speech/tts. */
export interface AzureServer {
  /** http: */
  url: string;
  asked: Array<{ headers: Record<string, string>; path: string; context: Record<string, unknown>; ssml: string }>;
  close(): Promise<void>;
}

const RATE = 48_000;
const UNITS_PER_SECOND = 10_000_000;

/** Each word is a tone of 0.3 s after 0.2 s of silence; `text` is what lies in the SSML. */
export async function startAzureServer(key: string, { breaksOff = false } = {}): Promise<AzureServer> {
  const asked: AzureServer['asked'] = [];
  const http = createServer((_request, response) => response.writeHead(200).end());
  const sockets = new WebSocketServer({ noServer: true });
  http.on('upgrade', (request, socket, head) => {
    if (request.headers['ocp-apim-subscription-key'] !== key) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (connection) => {
      let context: Record<string, unknown> = {};
      connection.on('message', (data: RawData) => {
        const [headers = '', body = ''] = split(data.toString());
        const path = /^path:\s*(\S+)/im.exec(headers)?.[1];
        const id = /^x-requestid:\s*(\S+)/im.exec(headers)?.[1] ?? '';
        if (path === 'synthesis.context') context = JSON.parse(body) as Record<string, unknown>;
        if (path !== 'ssml') return;
        asked.push({ headers: request.headers as Record<string, string>, path: request.url ?? '', context, ssml: body });
        if (breaksOff) connection.close(1007, 'Unsupported voice nobody');
        else for (const message of speech(id, body)) connection.send(message);
      });
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    asked,
    async close() {
      for (const client of sockets.clients) client.terminate();
      http.close();
      await once(http, 'close');
    },
  };
}

function split(message: string): [string, string] {
  const at = message.indexOf('\r\n\r\n');
  return [message.slice(0, at), message.slice(at + 4)];
}

function speech(id: string, ssml: string): Array<string | Buffer> {
  const words = ssml
    .replace(/<[^>]*>/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '');
  const text = (path: string, body: unknown): string =>
    `X-RequestId:${id}\r\nContent-Type:application/json; charset=utf-8\r\nPath:${path}\r\n\r\n${JSON.stringify(body)}`;
  const metadata = words.map((word, i) => ({
    Type: 'WordBoundary',
    Data: {
      Offset: (i * 0.5 + 0.2) * UNITS_PER_SECOND,
      Duration: 0.3 * UNITS_PER_SECOND,
      text: { Text: word.replace(/[.,!?]+$/, ''), Length: word.length, BoundaryType: 'WordBoundary' },
    },
  }));
  const stream = 'A0B1C2D3E4F5061728394A5B6C7D8E9F';
  const start = text('turn.start', { context: { serviceTag: id } });
  const response = text('response', { context: { serviceTag: id }, audio: { type: 'inline', streamId: stream } });
  const chunks = words.map((_, i) => binary(id, stream, tone(200 + i * 50)));
  return [
    start,
    response,
    ...metadata.map((entry) => text('audio.metadata', { Metadata: [entry] })),
    ...chunks,
    binary(id, stream, Buffer.alloc(RATE * 2)),
    text('turn.end', {}),
  ];
}

function binary(id: string, stream: string, audio: Buffer): Buffer {
  const headers = Buffer.from(`X-RequestId:${id}\r\nContent-Type:audio/x-wav\r\nX-StreamId:${stream}\r\nPath:audio\r\n`);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(headers.length);
  return Buffer.concat([length, headers, audio]);
}

function tone(hertz: number): Buffer {
  const samples = Buffer.alloc(RATE);
  for (let i = Math.round(0.2 * RATE); i < RATE / 2; i += 1) samples.writeInt16LE(Math.round(3000 * Math.sin((2 * Math.PI * hertz * i) / RATE)), i * 2);
  return samples;
}
