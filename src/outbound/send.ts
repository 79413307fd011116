import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';

export interface SendOptions {
  method: 'POST' | 'PUT';
  headers: Record<string, string>;
  /** A stream needs a content-length header. */
  body: string | Buffer | Readable;
  /** How long the receiver may be silent. */
  idleMs: number;
  signal?: AbortSignal;
  /** The status decides: an answer whose text breaks off or does not end in time is an answer all the same. */
  statusSuffices?: boolean;
  /** A connection of its own, which the receiver can not have closed already. */
  ownConnection?: boolean;
}

export interface Answer {
  status: number;
  /** Lower-case names; of repeated headers the first. */
  headers: Readonly<Record<string, string>>;
  /** At most the first 64 KiB. */
  text: string;
}

const MAX_ANSWER_BYTES = 65_536;

/** Sends one request and reads the head of the answer. Redirects are answers like any other: they are not followed. */
export async function sendRequest(url: string, options: SendOptions, dispatcher: Dispatcher): Promise<Answer> {
  const { method, headers, body, idleMs, signal, statusSuffices = false, ownConnection = false } = options;
  const response = await request(url, {
    dispatcher,
    method,
    headers: { 'user-agent': 'Framewright', ...headers },
    body,
    headersTimeout: idleMs,
    bodyTimeout: idleMs,
    reset: ownConnection,
    ...(signal === undefined ? {} : { signal }),
  });
  return { status: response.statusCode, headers: firstValues(response.headers), text: await readHead(response.body, statusSuffices) };
}

function firstValues(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, (Array.isArray(value) ? value[0] : value) ?? ''] as const);
  return Object.fromEntries(entries);
}

async function readHead(body: Readable, mayBreakOff: boolean): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  body.on('error', () => {});
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_ANSWER_BYTES) break;
    }
  } catch (error) {
    if (!mayBreakOff) throw error;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8');
}
