import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { AppError } from '../../errors/index.js';
import type { Outbound } from '../../outbound/index.js';
import { shownUrl } from '../../outbound/index.js';
import { internalOrigin, type PageFonts } from './page-fonts.js';

export interface RequestLimits {
  /** Of one file, and of all files of a page. */
  fileBytes: number;
  pageBytes: number;
  requests: number;
  timeoutMs: number;
  stallMs: number;
}

export interface RequestOptions {
  /** Served at the internal origin's root. */
  document: string;
  folder: string;
  fonts: PageFonts;
  outbound: Pick<Outbound, 'checkUrl' | 'download'> | undefined;
  limits: RequestLimits;
  warn: (warning: string) => void;
  /** The page asks for so much that it would never be drawn. */
  onExcess: (message: string) => void;
  signal: AbortSignal;
}

interface Answer {
  body: Buffer;
  contentType: string;
}

/** Refusals are cheap, but not free. */
const maxRequestsPerLoad = 10;

const tailwindFile = createRequire(import.meta.url).resolve('@tailwindcss/browser');
const mayMove = /^image\/(?:gif|webp|apng|avif|svg)/;
const isTailwindLink = (url: URL): boolean =>
  /^(?:cdn\.jsdelivr\.net|unpkg\.com)$/.test(url.hostname) && /\/@tailwindcss\/browser(?:@4[^/]*)?(?:\/|$)/.test(url.pathname);

/** Answers every request of a page: from the installation, or through the one door to the internet, or not at all. */
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

  /** The images depend on more than the page itself. */
  get usedNetwork(): boolean {
    return this.#usedNetwork;
  }

  /** How many there were, answered or not. */
  get seen(): number {
    return this.#seen;
  }

  get hasMovingImages(): boolean {
    return this.#hasMovingImages;
  }

  /** Why the page itself did not come. */
  get documentFailure(): string | undefined {
    return this.#documentFailure;
  }

  async start(mainFrame: string): Promise<void> {
    this.#mainFrame = mainFrame;
    this.#session.on('Fetch.requestPaused', (event) => {
      // A page that was closed meanwhile has no use for its answer.
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
    if (this.#asked > maxRequests) return this.#options.onExcess(`the page asks for file after file; ${maxRequests} are answered or refused`);
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
        error instanceof AppError ? error.message : `${shownUrl(request.url)} ${error instanceof RefusedRequest ? error.message : 'could not be loaded'}`;
      if (isPage && !this.#hasDocument) this.#documentFailure = reason;
      if (!request.url.endsWith('/favicon.ico')) this.#options.warn(reason);
      // A page that tries to go elsewhere stays where it is, rather than giving way to an error page.
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
    throw new RefusedRequest('is relative, and a snippet has no address of its own: name the whole URL');
  }

  async #fetch(url: string, method: string): Promise<Answer> {
    const { outbound, limits, folder, signal } = this.#options;
    const refusal = outbound === undefined ? 'pages have no network here' : outbound.checkUrl(url);
    if (outbound === undefined || refusal !== undefined) throw new RefusedRequest(`is refused: ${refusal}`);
    if (method !== 'GET') throw new RefusedRequest(`is refused: pages may only read (GET), not ${method}`);
    this.#usedNetwork = true;
    this.#count += 1;
    if (this.#count > limits.requests) throw new RefusedRequest(`is refused: a page may load ${limits.requests} files`);
    const maxBytes = Math.min(limits.fileBytes, limits.pageBytes - this.#bytes);
    if (maxBytes <= 0)
      throw new RefusedRequest(`is refused: the files of the page are larger than the ${Math.floor(limits.pageBytes / 1_048_576)} MiB allowed`);
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

/** The message stands after the URL. */
class RefusedRequest extends Error {}

/** The outbound door tells no character set; nearly all that names none itself is UTF-8. */
function withCharset(contentType: string, body: Buffer): string {
  if (!/^(?:text\/|application\/(?:javascript|json|xhtml))/.test(contentType)) return contentType || 'application/octet-stream';
  return contentType === 'text/html' && /<meta[^>]+charset/i.test(body.toString('latin1', 0, 2048)) ? contentType : `${contentType}; charset=utf-8`;
}
