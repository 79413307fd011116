import type { Job } from '../contract/index.js';
import { FramewrightError } from './framewright-error.js';
import { readError, reasonOf, type Transport } from './transport.js';
import { sleep, watchSilence } from './waiting.js';

export interface DownloadOptions {
  signal?: AbortSignal | undefined;
  /** Bytes so far, and of the whole file. */
  onProgress?: ((receivedBytes: number, totalBytes: number) => void) | undefined;
}

/** Nothing for so long: the connection is dead. */
const silenceMs = 30_000;

/** Where a film is, from a job or its address. */
export function outputOf(output: Job | string): string {
  if (typeof output === 'string') return output;
  if (output.output_uri !== undefined) return output.output_uri;
  const expired = output.output_expired_at === undefined ? '' : `: it was removed at ${output.output_expired_at}`;
  throw new FramewrightError('OUTPUT_UNAVAILABLE', `The job has no film (${output.status})${expired}.`, { job: output });
}

/**
 * The bytes of a film, in pieces. A connection that breaks is taken up where it broke; the key is not sent, since whoever
 * knows the address may have the file, and it may be elsewhere.
 */
export async function* readOutput(transport: Transport, uri: string, { signal, onProgress }: DownloadOptions): AsyncGenerator<Uint8Array> {
  // What the caller's own function throws is no fault of the connection.
  for await (const { piece, received, file } of readPieces(transport, uri, signal)) {
    onProgress?.(received, file.sizeBytes);
    yield piece;
  }
}

interface Piece {
  piece: Uint8Array;
  received: number;
  file: OpenFile;
}

async function* readPieces(transport: Transport, uri: string, signal: AbortSignal | undefined): AsyncGenerator<Piece> {
  const { retries } = transport.settings;
  let file: OpenFile | undefined;
  let received = 0;
  for (let attempt = 0; ; ) {
    const before = received;
    const watch = watchSilence(silenceMs, signal);
    try {
      const response = await openAt(transport, uri, received, file, watch.signal);
      file ??= describe(response, uri);
      for await (const piece of piecesOf(response, watch.heard)) {
        received += piece.length;
        yield { piece, received, file };
      }
      if (received === file.sizeBytes) return;
      throw new FramewrightError('CONNECTION_FAILED', `The film broke off after ${received} of ${file.sizeBytes} bytes.`);
    } catch (error) {
      signal?.throwIfAborted();
      const lost = error instanceof FramewrightError ? error : brokenOff(error, uri);
      attempt = received > before ? 1 : attempt + 1;
      const isLasting = lost.code !== 'CONNECTION_FAILED' && lost.status !== 429 && (lost.status ?? 0) < 500;
      if (isLasting || attempt > retries) throw lost;
      await sleep(Math.min((lost.retryAfter ?? 2 ** attempt / 4) * 1000, transport.settings.maxPauseMs), signal);
    } finally {
      watch.end();
    }
  }
}

interface OpenFile {
  sizeBytes: number;
  etag: string | null;
}

async function openAt(transport: Transport, uri: string, from: number, file: OpenFile | undefined, signal: AbortSignal): Promise<Response> {
  const range = from === 0 ? {} : { range: `bytes=${from}-`, ...(file?.etag && { 'if-range': file.etag }) };
  const response = await transport.settings.fetch(uri, { method: 'GET', headers: range, signal });
  if (!response.ok) {
    const error = readError(response, await response.text());
    throw error.status === 404 || error.status === 410
      ? new FramewrightError('OUTPUT_UNAVAILABLE', error.message, { status: error.status, cause: error })
      : error;
  }
  if (from > 0 && response.status !== 206) {
    await response.body?.cancel();
    throw new FramewrightError('OUTPUT_UNAVAILABLE', 'The film is not the same any more, or cannot be taken up in the middle.', { status: response.status });
  }
  return response;
}

function describe(response: Response, uri: string): OpenFile {
  const length = response.headers.get('content-length');
  if (length === null) throw new FramewrightError('UNEXPECTED_ANSWER', `${uri} does not say how long it is.`, { status: response.status });
  return { sizeBytes: Number(length), etag: response.headers.get('etag') };
}

async function* piecesOf(response: Response, onBytes: () => void): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      onBytes();
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function brokenOff(error: unknown, uri: string): FramewrightError {
  return new FramewrightError('CONNECTION_FAILED', `${uri} was not answered: ${reasonOf(error)}.`, { cause: error });
}

/** The parts of Node's node:fs/promises that a download needs; browsers have none. */
interface NodeFiles {
  open(path: string, flags: string): Promise<{ write(bytes: Uint8Array): Promise<unknown>; sync(): Promise<void>; close(): Promise<void> }>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: boolean }): Promise<void>;
}

/** Writes beside the file and gives it its name when it is whole. */
export async function writeToFile(pieces: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const files = await nodeFiles();
  const part = `${path}.part`;
  const handle = await files.open(part, 'w');
  try {
    for await (const piece of pieces) await handle.write(piece);
    await handle.sync();
  } catch (error) {
    await handle.close();
    await files.rm(part, { force: true });
    throw error;
  }
  await handle.close();
  await files.rename(part, path);
}

/** Not by its name in an import, which bundlers for browsers would follow. */
async function nodeFiles(): Promise<NodeFiles> {
  const name = 'node:fs/promises';
  return (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as NodeFiles;
}
