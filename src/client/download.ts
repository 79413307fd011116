import type { Job } from '../contract/index.js';
import { FramewrightError } from './framewright-error.js';
import { isTransient, readError, reasonOf, type Transport } from './transport.js';
import { sleep, startIdleTimeout } from './waiting.js';

/** Options of Framewright.download(). */
export interface DownloadOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((receivedBytes: number, totalBytes: number) => void) | undefined;
}

/** A connection without bytes for this long is considered lost. */
const idleTimeoutMs = 30_000;

/** URL of the video of a job. Throws OUTPUT_UNAVAILABLE when there is none. */
export function outputUriOf(output: Job | string): string {
  if (typeof output === 'string') return output;
  if (output.output_uri !== undefined) return output.output_uri;
  const expired = output.output_expired_at === undefined ? '' : `: it was removed at ${output.output_expired_at}`;
  throw new FramewrightError('OUTPUT_UNAVAILABLE', `The job has no video (${output.status})${expired}.`, { job: output });
}

/**
 * Downloads a video in chunks and resumes after lost connections. It does not send the API key, since the URL authorizes the
 * download and may belong to another host.
 */
export async function* readOutput(transport: Transport, uri: string, { signal, onProgress }: DownloadOptions): AsyncGenerator<Uint8Array> {
  // Outside the retry loop: an exception of onProgress is not a connection error.
  for await (const { chunk, received, file } of readChunks(transport, uri, signal)) {
    onProgress?.(received, file.sizeBytes);
    yield chunk;
  }
}

interface Chunk {
  chunk: Uint8Array;
  received: number;
  file: OpenFile;
}

async function* readChunks(transport: Transport, uri: string, signal: AbortSignal | undefined): AsyncGenerator<Chunk> {
  const { retries } = transport.settings;
  let file: OpenFile | undefined;
  let received = 0;
  for (let attempt = 0; ; ) {
    const before = received;
    const timeout = startIdleTimeout(idleTimeoutMs, signal);
    try {
      const response = await openAt(transport, uri, received, file, timeout.signal);
      file ??= describe(response, uri);
      for await (const chunk of chunksOf(response, timeout.reset)) {
        received += chunk.length;
        yield { chunk, received, file };
      }
      if (received === file.sizeBytes) return;
      throw new FramewrightError('CONNECTION_FAILED', `The download broke off after ${received} of ${file.sizeBytes} bytes.`);
    } catch (error) {
      signal?.throwIfAborted();
      const failure = error instanceof FramewrightError ? error : connectionError(error, uri);
      attempt = received > before ? 1 : attempt + 1;
      if (!isTransient(failure) || attempt > retries) throw failure;
      await sleep(Math.min((failure.retryAfter ?? 2 ** attempt / 4) * 1000, transport.settings.maxPauseMs), signal);
    } finally {
      timeout.clear();
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
    throw new FramewrightError('OUTPUT_UNAVAILABLE', 'The video has changed, or its download cannot be resumed.', { status: response.status });
  }
  return response;
}

function describe(response: Response, uri: string): OpenFile {
  const length = response.headers.get('content-length');
  if (length === null) throw new FramewrightError('UNEXPECTED_ANSWER', `${uri} sent no content-length.`, { status: response.status });
  return { sizeBytes: Number(length), etag: response.headers.get('etag') };
}

async function* chunksOf(response: Response, onBytes: () => void): AsyncGenerator<Uint8Array> {
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

function connectionError(error: unknown, uri: string): FramewrightError {
  return new FramewrightError('CONNECTION_FAILED', `${uri} was not answered: ${reasonOf(error)}.`, { cause: error });
}

/** Subset of node:fs/promises, which browsers lack. */
interface NodeFiles {
  open(path: string, flags: string): Promise<{ write(bytes: Uint8Array): Promise<unknown>; sync(): Promise<void>; close(): Promise<void> }>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: boolean }): Promise<void>;
}

/** Writes to a temporary file and renames it when it is complete. */
export async function writeToFile(chunks: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const files = await nodeFiles();
  const part = `${path}.part`;
  const handle = await files.open(part, 'w');
  try {
    for await (const chunk of chunks) await handle.write(chunk);
    await handle.sync();
  } catch (error) {
    await handle.close();
    await files.rm(part, { force: true });
    throw error;
  }
  await handle.close();
  await files.rename(part, path);
}

/** Imports node:fs/promises by a variable, which bundlers for browsers do not resolve. */
async function nodeFiles(): Promise<NodeFiles> {
  const name = 'node:fs/promises';
  return (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as NodeFiles;
}
