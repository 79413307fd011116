import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { Refusal } from './failures.js';
import { undici } from './undici.js';

export interface SendOptions {
  method: 'GET' | 'POST' | 'PUT';
  headers: Record<string, string>;
  /** A stream needs a content-length header. */
  body?: string | Buffer | Readable;
  /** How long the receiver may be silent. */
  idleMs: number;
  signal?: AbortSignal;
  /** The status decides: an answer whose text breaks off or does not end in time is an answer all the same. */
  statusSuffices?: boolean;
  /** A connection of its own, which the receiver can not have closed already. */
  ownConnection?: boolean;
  /** Asks for the whole answer, and refuses one that is longer. Without it the head of the answer is read. */
  maxAnswerBytes?: number;
}

export interface Answer {
  status: number;
  /** Lower-case names; of repeated headers the first. */
  headers: Readonly<Record<string, string>>;
  /** At most the first 64 KiB, or all that `maxAnswerBytes` allows. */
  body: Buffer;
  /** The same as text. */
  readonly text: string;
}

const MAX_ANSWER_BYTES = 65_536;

/** Sends one request and reads the head of the answer. Redirects are answers like any other: they are not followed. */
export async function sendRequest(url: string, options: SendOptions, dispatcher: Dispatcher): Promise<Answer> {
  const { method, headers, body, idleMs, signal, statusSuffices = false, ownConnection = false, maxAnswerBytes } = options;
  const response = await undici().request(url, {
    dispatcher,
    method,
    headers: { 'user-agent': 'Framewright', ...headers },
    ...(body === undefined ? {} : { body }),
    headersTimeout: idleMs,
    bodyTimeout: idleMs,
    reset: ownConnection,
    ...(signal === undefined ? {} : { signal }),
  });
  const answer = maxAnswerBytes === undefined ? await readHead(response.body, statusSuffices) : await readWhole(response.body, maxAnswerBytes);
  return {
    status: response.statusCode,
    headers: firstValues(response.headers),
    body: answer,
    get text() {
      return answer.toString('utf8');
    },
  };
}

function firstValues(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, (Array.isArray(value) ? value[0] : value) ?? ''] as const);
  return Object.fromEntries(entries);
}

async function readHead(body: Readable, mayBreakOff: boolean): Promise<Buffer> {
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
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES);
}

async function readWhole(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Refusal(`answered with more than ${Math.round(maxBytes / 1e6)} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
