import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { AppError } from '../errors/index.js';
import { DownloadWatch } from './download-watch.js';
import { failureText, isTransient, Refusal, RefusedUrl } from './failures.js';
import { undici } from './undici.js';
import { shownUrl } from './url-policy.js';

export interface DownloadOptions {
  maxBytes: number;
  /** For everything, from the first connection to the last byte. */
  timeoutMs: number;
  /** The source must send 1 KB a second, seen over spans of this length. */
  stallMs: number;
  signal?: AbortSignal;
  /** Header for the URL's own origin, instead of the URL's own user and password. */
  authorization?: string;
  /** totalBytes is undefined where the source does not announce it. */
  onProgress?: (bytes: number, totalBytes: number | undefined) => void;
}

export interface Downloaded {
  /** Hexadecimal. */
  sha256: string;
  sizeBytes: number;
  /** As the source claims, without parameters; empty when it claims nothing. */
  contentType: string;
}

export interface Door {
  dispatcher: Dispatcher;
  checkUrl: (url: string) => string | undefined;
}

type Response = Dispatcher.ResponseData;

const MAX_REDIRECTS = 5;
/** A source that breaks off or is busy is asked again, all within the download's own time. */
const retryDelaysMs = [300, 1200];
const busyStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Fetches a URL into a file. On failure there is no file, and the AppError's message starts with the URL. */
export async function downloadFile(url: string, destinationPath: string, options: DownloadOptions, door: Door): Promise<Downloaded> {
  const watch = new DownloadWatch(options);
  try {
    for (const delayMs of retryDelaysMs) {
      try {
        return await fetchOnce(url, destinationPath, options, watch, door);
      } catch (error) {
        if (watch.signal.aborted || !isTransient(error)) throw error;
        await sleep(delayMs, undefined, { signal: watch.signal });
      }
    }
    return await fetchOnce(url, destinationPath, options, watch, door);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw worded(url, watch.failure ?? error);
  } finally {
    watch.stop();
  }
}

async function fetchOnce(url: string, destinationPath: string, options: DownloadOptions, watch: DownloadWatch, door: Door): Promise<Downloaded> {
  const response = await follow(url, options, watch, door);
  try {
    return await save(response, destinationPath, options, watch);
  } catch (error) {
    abandon(response.body);
    await rm(destinationPath, { force: true });
    throw error;
  }
}

function worded(url: string, error: unknown): unknown {
  if (error instanceof AppError) return error;
  const reason = failureText(error);
  if (reason === undefined) return new AppError('INTERNAL_ERROR', { detail: `fetching ${shownUrl(url)} failed: ${String(error)}`, cause: error });
  return new AppError('RENDER_FAILED', { message: `${shownUrl(url)} ${reason}`, detail: String(error), cause: error });
}

/** Redirects are followed by hand, so that every hop passes the same door. */
async function follow(start: string, options: DownloadOptions, watch: DownloadWatch, door: Door): Promise<Response> {
  let url = start;
  const own = basicCredentials(new URL(checked(start, '', door)));
  let credentials = options.authorization ?? own;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await ask(url, credentials, watch, door.dispatcher);
    const location = headerOf(response, 'location');
    if (!redirects.has(response.statusCode) || location === '') return response;
    abandon(response.body);
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (next === undefined) throw new Refusal('redirects to something that is no URL');
    if (next.origin !== new URL(url).origin) credentials = basicCredentials(next);
    url = checked(next.href, 'redirects to an address that is refused: ', door);
  }
  throw new Refusal(`redirects more than ${MAX_REDIRECTS} times`);
}

function checked(url: string, context: string, door: Door): string {
  const reason = door.checkUrl(url);
  if (reason !== undefined) throw new RefusedUrl(context === '' ? `is refused: ${reason}` : `${context}${reason}`);
  return url;
}

function ask(url: string, credentials: string | undefined, watch: DownloadWatch, dispatcher: Dispatcher): Promise<Response> {
  const target = new URL(url);
  target.username = '';
  target.password = '';
  return undici().request(target, {
    dispatcher,
    method: 'GET',
    headers: {
      accept: '*/*',
      // What is counted must be what is stored, so no body may unfold.
      'accept-encoding': 'identity',
      'user-agent': 'Framewright',
      ...(credentials === undefined ? {} : { authorization: credentials }),
    },
    signal: watch.signal,
    headersTimeout: 0,
    bodyTimeout: 0,
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
  const totalBytes = checkHead(response, maxBytes);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const file = await open(destinationPath, 'w');
  try {
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
      watch.received(chunk.length);
      hash.update(chunk);
      await file.writeFile(chunk);
      onProgress?.(sizeBytes, totalBytes);
    }
  } finally {
    await file.close();
  }
  if (sizeBytes === 0) throw new Refusal('answered with an empty body');
  return { sha256: hash.digest('hex'), sizeBytes, contentType: headerOf(response, 'content-type').split(';')[0]?.trim().toLowerCase() ?? '' };
}

/** The announced length, if any. */
function checkHead(response: Response, maxBytes: number): number | undefined {
  if (response.statusCode !== 200) throw new Refusal(`answered ${response.statusCode}`, busyStatuses.has(response.statusCode));
  const encoding = headerOf(response, 'content-encoding').trim().toLowerCase();
  if (encoding !== '' && encoding !== 'identity') throw new Refusal('answered with a compressed body, which is not accepted');
  const announced = headerOf(response, 'content-length');
  if (announced === '') return undefined;
  if (Number(announced) > maxBytes) throw tooLarge(maxBytes);
  return Number(announced);
}

function tooLarge(maxBytes: number): Refusal {
  const size = maxBytes >= 1_048_576 ? `${Math.floor(maxBytes / 1_048_576)} MiB` : `${maxBytes} bytes`;
  return new Refusal(`is larger than the ${size} allowed`);
}

function headerOf(response: Response, name: string): string {
  const value = response.headers[name];
  return (Array.isArray(value) ? value.join(', ') : value) ?? '';
}

/** Closes the connection instead of reading on; what the body then reports is of no interest. */
function abandon(body: Readable): void {
  body.on('error', () => {});
  body.destroy();
}
