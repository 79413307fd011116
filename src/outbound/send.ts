import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { SourceError } from './failures.js';
import { bodyHighWaterMark, readBody } from './read-body.js';
import { undici } from './undici.js';

/** A request and its limits. */
export interface SendOptions {
  method: 'GET' | 'POST' | 'PUT';
  headers: Record<string, string>;
  /** A stream requires a content-length header. */
  body?: string | Buffer | Readable;
  /** Timeout without any received bytes. */
  idleMs: number;
  signal?: AbortSignal;
  /** Accepts a response whose body breaks off or times out. */
  ignoreBodyErrors?: boolean;
  /** Opens a new connection: the receiver may have closed an idle one. */
  newConnection?: boolean;
  /** Reads the whole body and rejects a longer one; default: the first 64 KiB of the body. */
  maxResponseBytes?: number;
}

/** Response to SendOptions. */
export interface OutboundResponse {
  status: number;
  /** By lower-case name; the first value of repeated headers. */
  headers: Readonly<Record<string, string>>;
  /** The first 64 KiB, or the whole body with `maxResponseBytes`. */
  body: Buffer;
  /** The body as UTF-8. */
  readonly text: string;
}

type Body = Dispatcher.ResponseData['body'];

const maxHeadBytes = 65_536;

/** Sends one request. Redirects are returned, not followed. */
export async function sendRequest(url: string, options: SendOptions, dispatcher: Dispatcher): Promise<OutboundResponse> {
  const { method, headers, body, idleMs, signal, ignoreBodyErrors = false, newConnection = false, maxResponseBytes } = options;
  const response = await undici().request(url, {
    dispatcher,
    method,
    headers: { 'user-agent': 'Framewright', ...headers },
    ...(body === undefined ? {} : { body }),
    headersTimeout: idleMs,
    bodyTimeout: idleMs,
    reset: newConnection,
    highWaterMark: bodyHighWaterMark,
    ...(signal === undefined ? {} : { signal }),
  });
  const content = maxResponseBytes === undefined ? await readHead(response.body, ignoreBodyErrors) : await readWhole(response.body, maxResponseBytes);
  return {
    status: response.statusCode,
    headers: firstValues(response.headers),
    body: content,
    get text() {
      return content.toString('utf8');
    },
  };
}

function firstValues(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, (Array.isArray(value) ? value[0] : value) ?? ''] as const);
  return Object.fromEntries(entries);
}

async function readHead(body: Body, ignoreErrors: boolean): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    await readBody(body, (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      return size < maxHeadBytes;
    });
  } catch (error) {
    if (!ignoreErrors) throw error;
  }
  return Buffer.concat(chunks).subarray(0, maxHeadBytes);
}

async function readWhole(body: Body, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  await readBody(body, (chunk) => {
    size += chunk.length;
    if (size > maxBytes) throw new SourceError(`answered with more than ${Math.round(maxBytes / 1e6)} MB`);
    chunks.push(chunk);
    return true;
  });
  return Buffer.concat(chunks);
}
