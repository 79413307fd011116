import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';

export interface YoutubeServer {
  origin: string;
  /** The bytes of the upload so far. */
  received: Buffer;
  /** Body of the request that opened the session, and its query. */
  opened: { video: unknown; query: URLSearchParams; length: string | undefined } | undefined;
  tokensAsked: URLSearchParams[];
  ranges: string[];
  /** Fates of the next chunks; others are accepted. */
  mishaps: Array<'503' | 'break' | 'half'>;
  sessions: number;
  close(): void;
}

/** Google's resumable upload protocol as its guide describes it, with a token endpoint. */
export async function startYoutube(): Promise<YoutubeServer> {
  const http = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const youtube: YoutubeServer = {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    received: Buffer.alloc(0),
    opened: undefined,
    tokensAsked: [],
    ranges: [],
    mishaps: [],
    sessions: 0,
    close: () => {
      http.closeAllConnections();
      http.close();
    },
  };
  const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
  const goOn = (response: ServerResponse): void => {
    const { length } = youtube.received;
    response.writeHead(308, length === 0 ? {} : { range: `bytes=0-${length - 1}` }).end();
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', youtube.origin);
    if (url.pathname === '/token') return giveToken(await text(request), response);
    if (request.headers.authorization !== 'Bearer good-token') {
      return json(response, 401, { error: { code: 401, errors: [{ reason: 'authError' }], message: 'Invalid Credentials' } });
    }
    if (request.method === 'POST') return openSession(url, request, response);
    return takeChunk(request, response);
  }

  function giveToken(body: string, response: ServerResponse): void {
    const form = new URLSearchParams(body);
    youtube.tokensAsked.push(form);
    if (form.get('refresh_token') === 'good-refresh') json(response, 200, { access_token: 'good-token', expires_in: 3599 });
    else json(response, 400, { error: 'invalid_grant' });
  }

  async function openSession(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    youtube.sessions += 1;
    youtube.received = Buffer.alloc(0);
    youtube.opened = { video: JSON.parse(await text(request)), query: url.searchParams, length: request.headers['x-upload-content-length']?.toString() };
    response.writeHead(200, { location: `${youtube.origin}/session/1` }).end();
  }

  async function takeChunk(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const range = request.headers['content-range'] ?? '';
    youtube.ranges.push(range);
    const [, start, total] = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(range) ?? [];
    if (start === undefined) return goOn(response);
    const mishap = youtube.mishaps.shift();
    if (mishap === 'break') {
      await once(request, 'data');
      request.socket.destroy();
      return;
    }
    const chunk = await buffer(request);
    if (mishap === '503') return json(response, 503, {});
    if (Number(start) !== youtube.received.length) return json(response, 400, { error: { errors: [{ reason: 'wrongOffset' }] } });
    youtube.received = Buffer.concat([youtube.received, mishap === 'half' ? chunk.subarray(0, chunk.length / 2) : chunk]);
    if (youtube.received.length < Number(total)) return goOn(response);
    json(response, 201, { kind: 'youtube#video', id: 'dQw4w9WgXcQ' });
  }

  return youtube;
}
