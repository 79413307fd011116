import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { AppError } from '../errors/index.js';
import { DownloadWatch } from './download-watch.js';
import { failureText, isTransient, RefusedUrlError, SourceError } from './failures.js';
import { bodyHighWaterMark, readBody } from './read-body.js';
import { undici } from './undici.js';
import { redactUrl } from './url-policy.js';

/** Limits of a download. */
export interface DownloadOptions {
  maxBytes: number;
  /** From the first connection to the last byte, including retries. */
  timeoutMs: number;
  /** Interval in which the average rate must reach 1 KiB/s. */
  stallMs: number;
  signal?: AbortSignal;
  /** Authorization header for the origin of the URL; replaces the credentials in the URL. */
  authorization?: string;
  /** totalBytes is undefined when the source sends no content-length. */
  onProgress?: (bytes: number, totalBytes: number | undefined) => void;
}

/** A finished download. */
export interface Downloaded {
  /** Hexadecimal. */
  sha256: string;
  sizeBytes: number;
  /** Media type that the source declares, without parameters; empty if none. */
  contentType: string;
}

/** What a download needs of its Outbound. */
export interface DownloadParts {
  dispatcher: Dispatcher;
  /** Returns the reason why a URL is refused. */
  checkUrl: (url: string) => string | undefined;
}

type Response = Dispatcher.ResponseData;

const maxRedirects = 5;
/** Pauses before retries after a lost connection or a busy source, within the time limit of the download. */
const retryDelaysMs = [300, 1200];
const busyStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Downloads a URL to a file. On failure it removes the file and throws an AppError whose message starts with the URL. */
export async function downloadFile(url: string, destinationPath: string, options: DownloadOptions, parts: DownloadParts): Promise<Downloaded> {
  const watch = new DownloadWatch(options);
  try {
    for (const delayMs of retryDelaysMs) {
      try {
        return await fetchOnce(url, destinationPath, options, watch, parts);
      } catch (error) {
        if (watch.signal.aborted || !isTransient(error)) throw error;
        await sleep(delayMs, undefined, { signal: watch.signal });
      }
    }
    return await fetchOnce(url, destinationPath, options, watch, parts);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw toAppError(url, watch.failure ?? error);
  } finally {
    watch.stop();
  }
}

async function fetchOnce(url: string, destinationPath: string, options: DownloadOptions, watch: DownloadWatch, parts: DownloadParts): Promise<Downloaded> {
  const response = await followRedirects(url, options, watch, parts);
  try {
    return await save(response, destinationPath, options, watch);
  } catch (error) {
    discard(response.body);
    await rm(destinationPath, { force: true });
    throw error;
  }
}

function toAppError(url: string, error: unknown): unknown {
  if (error instanceof AppError) return error;
  const reason = failureText(error);
  if (reason === undefined) return new AppError('INTERNAL_ERROR', { detail: `fetching ${redactUrl(url)} failed: ${String(error)}`, cause: error });
  return new AppError('RENDER_FAILED', { message: `${redactUrl(url)} ${reason}`, detail: String(error), cause: error });
}

/** Follows redirects itself, so that every URL passes the same checks. */
async function followRedirects(start: string, options: DownloadOptions, watch: DownloadWatch, parts: DownloadParts): Promise<Response> {
  let url = start;
  const own = basicCredentials(new URL(checkAllowed(start, '', parts)));
  let credentials = options.authorization ?? own;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const response = await sendGet(url, credentials, watch, parts.dispatcher);
    const location = headerOf(response, 'location');
    if (!redirectStatuses.has(response.statusCode) || location === '') return response;
    discard(response.body);
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (next === undefined) throw new SourceError('redirects to something that is no URL');
    if (next.origin !== new URL(url).origin) credentials = basicCredentials(next);
    url = checkAllowed(next.href, 'redirects to an address that is refused: ', parts);
  }
  throw new SourceError(`redirects more than ${maxRedirects} times`);
}

function checkAllowed(url: string, context: string, parts: DownloadParts): string {
  const reason = parts.checkUrl(url);
  if (reason !== undefined) throw new RefusedUrlError(context === '' ? `is refused: ${reason}` : `${context}${reason}`);
  return url;
}

function sendGet(url: string, credentials: string | undefined, watch: DownloadWatch, dispatcher: Dispatcher): Promise<Response> {
  const target = new URL(url);
  target.username = '';
  target.password = '';
  return undici().request(target, {
    dispatcher,
    method: 'GET',
    headers: {
      accept: '*/*',
      // A compressed body could expand beyond the size limit.
      'accept-encoding': 'identity',
      'user-agent': 'Framewright',
      ...(credentials !== undefined && { authorization: credentials }),
    },
    signal: watch.signal,
    headersTimeout: 0,
    bodyTimeout: 0,
    highWaterMark: bodyHighWaterMark,
  });
}

function basicCredentials(url: URL): string | undefined {
  if (url.username === '' && url.password === '') return undefined;
  const pair = `${decoded(url.username)}:${decoded(url.password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function save(response: Response, destinationPath: string, options: DownloadOptions, watch: DownloadWatch): Promise<Downloaded> {
  const { maxBytes, onProgress } = options;
  const totalBytes = checkHeaders(response, maxBytes);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const file = openSync(destinationPath, 'w');
  try {
    await readBody(response.body, (chunk) => {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
      watch.addBytes(chunk.length);
      hash.update(chunk);
      writeWhole(file, chunk);
      onProgress?.(sizeBytes, totalBytes);
      return true;
    });
  } finally {
    closeSync(file);
  }
  if (sizeBytes === 0) throw new SourceError('answered with an empty body');
  return { sha256: hash.digest('hex'), sizeBytes, contentType: headerOf(response, 'content-type').split(';')[0]?.trim().toLowerCase() ?? '' };
}

function writeWhole(file: number, chunk: Buffer): void {
  for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
}

/** Checks status and headers. Returns the content-length, if any. */
function checkHeaders(response: Response, maxBytes: number): number | undefined {
  if (response.statusCode !== 200) throw new SourceError(`answered ${response.statusCode}`, busyStatuses.has(response.statusCode));
  const encoding = headerOf(response, 'content-encoding').trim().toLowerCase();
  if (encoding !== '' && encoding !== 'identity') throw new SourceError('answered with a compressed body, which is not accepted');
  const announced = headerOf(response, 'content-length');
  if (announced === '') return undefined;
  if (Number(announced) > maxBytes) throw tooLarge(maxBytes);
  return Number(announced);
}

function tooLarge(maxBytes: number): SourceError {
  const size = maxBytes >= 1_048_576 ? `${Math.floor(maxBytes / 1_048_576)} MiB` : `${maxBytes} bytes`;
  return new SourceError(`is larger than the ${size} allowed`);
}

function headerOf(response: Response, name: string): string {
  const value = response.headers[name];
  return (Array.isArray(value) ? value.join(', ') : value) ?? '';
}

/** Closes the connection without reading the rest, and ignores the errors that causes. */
function discard(body: Readable): void {
  body.on('error', () => {});
  body.destroy();
}
