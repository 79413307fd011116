import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { AppError } from '../../errors/index.js';
import type { Outbound } from '../../outbound/index.js';
import { redactUrl } from '../../outbound/index.js';
import { internalOrigin, type PageFonts } from './page-fonts.js';

/** Limits on the requests of one page. */
export interface RequestLimits {
  /** Size of one file, and of all files of a page. */
  fileBytes: number;
  pageBytes: number;
  /** Number of requests to the network. */
  requests: number;
  timeoutMs: number;
  stallMs: number;
}

interface RequestOptions {
  /** Document served at the root of the internal origin. */
  document: string;
  /** Folder for downloads. */
  folder: string;
  fonts: PageFonts;
  outbound: Pick<Outbound, 'checkUrl' | 'download'> | undefined;
  limits: RequestLimits;
  warn: (warning: string) => void;
  /** Called when the page makes more requests than are answered. */
  onExcess: (message: string) => void;
  signal: AbortSignal;
}

interface Answer {
  body: Buffer;
  contentType: string;
}

/** Requests that are answered or rejected, as a multiple of the network limit. */
const maxRequestsPerLoad = 10;

const tailwindFile = createRequire(import.meta.url).resolve('@tailwindcss/browser');
const mayMove = /^image\/(?:gif|webp|apng|avif|svg)/;
const isTailwindLink = (url: URL): boolean =>
  /^(?:cdn\.jsdelivr\.net|unpkg\.com)$/.test(url.hostname) && /\/@tailwindcss\/browser(?:@4[^/]*)?(?:\/|$)/.test(url.pathname);

/** Answers all requests of a page: from the installation, through `outbound`, or with an error. */
export class PageRequests {
  readonly #session: CDPSession;
  readonly #options: RequestOptions;
  #mainFrame = '';
  #seen = 0;
  #asked = 0;
  #count = 0;
  #bytes = 0;
  #usedNetwork = false;
  #hasMovingImages: boolean;
  #hasDocument = false;
  #documentFailure: string | undefined;

  constructor(session: CDPSession, parts: RequestOptions) {
    this.#session = session;
    this.#options = parts;
    this.#hasMovingImages = /data:image\/(?:gif|webp|apng|png|avif|svg)/i.test(parts.document);
  }

  /** Whether the result depends on the network. */
  get usedNetwork(): boolean {
    return this.#usedNetwork;
  }

  /** Number of requests so far, answered or not. */
  get seen(): number {
    return this.#seen;
  }

  get hasMovingImages(): boolean {
    return this.#hasMovingImages;
  }

  /** Reason why the document, or the last one that the page navigated to, could not be loaded. */
  get documentFailure(): string | undefined {
    return this.#documentFailure;
  }

  async start(mainFrame: string): Promise<void> {
    this.#mainFrame = mainFrame;
    this.#session.on('Fetch.requestPaused', (event) => {
      // Fails if the page was closed meanwhile.
      this.#answer(event).catch(() => {});
    });
    await this.#session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  }

  async #answer(event: Protocol.Fetch.RequestPausedEvent): Promise<void> {
    const { requestId, request } = event;
    this.#seen += 1;
    if (/^(?:data|blob|about):/i.test(request.url)) {
      await this.#session.send('Fetch.continueRequest', { requestId });
      return;
    }
    this.#asked += 1;
    const maxRequests = this.#options.limits.requests * maxRequestsPerLoad;
    if (this.#asked > maxRequests) return this.#options.onExcess(`the page makes more than ${maxRequests} requests`);
    const isPage = event.resourceType === 'Document' && event.frameId === this.#mainFrame;
    try {
      const { body, contentType } = await this.#find(new URL(request.url), request.method);
      if (mayMove.test(contentType) || (contentType === 'image/png' && body.includes('acTL'))) this.#hasMovingImages = true;
      if (isPage) this.#hasDocument = true;
      await this.#session.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: 200,
        responseHeaders: [
          { name: 'Content-Type', value: withCharset(contentType, body) },
          { name: 'Access-Control-Allow-Origin', value: '*' },
          { name: 'Cross-Origin-Resource-Policy', value: 'cross-origin' },
        ],
        body: body.toString('base64'),
      });
    } catch (error) {
      const reason =
        error instanceof AppError ? error.message : `${redactUrl(request.url)} ${error instanceof RefusedRequest ? error.message : 'could not be loaded'}`;
      if (isPage) this.#documentFailure = reason;
      if (!request.url.endsWith('/favicon.ico')) this.#options.warn(reason);
      // Aborting keeps the current document; other errors would replace it by an error page.
      await this.#session.send('Fetch.failRequest', { requestId, errorReason: isPage && this.#hasDocument ? 'Aborted' : 'BlockedByClient' });
    }
  }

  async #find(url: URL, method: string): Promise<Answer> {
    if (url.origin === internalOrigin) return this.#findInside(url);
    const stylesheet = this.#options.fonts.googleStylesheet(url);
    if (stylesheet !== undefined) return { body: Buffer.from(stylesheet), contentType: 'text/css' };
    if (isTailwindLink(url)) return { body: await readFile(tailwindFile), contentType: 'text/javascript' };
    return this.#fetch(url.href, method);
  }

  async #findInside({ pathname }: URL): Promise<Answer> {
    if (pathname === '/') return { body: Buffer.from(this.#options.document), contentType: 'text/html' };
    if (pathname === '/tailwind.js') return { body: await readFile(tailwindFile), contentType: 'text/javascript' };
    const font = this.#options.fonts.findFile(pathname);
    if (font !== undefined) return { body: await readFile(font), contentType: 'font/woff2' };
    throw new RefusedRequest('is relative, but a snippet has no base URL: use an absolute URL');
  }

  async #fetch(url: string, method: string): Promise<Answer> {
    const { outbound, limits, folder, signal } = this.#options;
    const refusal = outbound === undefined ? 'pages have no network access on this host' : outbound.checkUrl(url);
    if (outbound === undefined || refusal !== undefined) throw new RefusedRequest(`is refused: ${refusal}`);
    if (method !== 'GET') throw new RefusedRequest(`is refused: pages may only read (GET), not ${method}`);
    this.#usedNetwork = true;
    this.#count += 1;
    if (this.#count > limits.requests) throw new RefusedRequest(`is refused: a page can load at most ${limits.requests} files`);
    const maxBytes = Math.min(limits.fileBytes, limits.pageBytes - this.#bytes);
    if (maxBytes <= 0) throw new RefusedRequest(`is refused: the files of a page can have at most ${Math.floor(limits.pageBytes / 1_048_576)} MiB`);
    const path = join(folder, `page-file-${this.#count}`);
    try {
      const { contentType, sizeBytes } = await outbound.download(url, path, { maxBytes, timeoutMs: limits.timeoutMs, stallMs: limits.stallMs, signal });
      this.#bytes += sizeBytes;
      return { body: await readFile(path), contentType };
    } finally {
      await rm(path, { force: true });
    }
  }
}

/** A rejected request. The message is a predicate that follows the URL. */
class RefusedRequest extends Error {}

/** Adds the character set, which `outbound` does not return; UTF-8 unless the document declares one. */
function withCharset(contentType: string, body: Buffer): string {
  if (!/^(?:text\/|application\/(?:javascript|json|xhtml))/.test(contentType)) return contentType || 'application/octet-stream';
  return contentType === 'text/html' && /<meta[^>]+charset/i.test(body.toString('latin1', 0, 2048)) ? contentType : `${contentType}; charset=utf-8`;
}
