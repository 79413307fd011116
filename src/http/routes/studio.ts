import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors/index.js';
import { readStudioFiles, type StudioFile, type StudioFiles } from '../studio-files.js';

/** Of the set-up, also when this runs from `src`. */
const builtFolder = fileURLToPath(new URL('../../../dist/studio', import.meta.url));

/** The page for people at `/` and its files. Programs that ask for no page get what they always got there. */
export function registerStudioRoutes(instance: FastifyInstance): void {
  let read: StudioFiles | undefined;
  const studio = (): StudioFiles | undefined => {
    read ??= readStudioFiles(builtFolder);
    return read;
  };

  instance.get('/', { config: { public: true } }, async (request, reply) => {
    reply.header('Vary', 'Accept');
    const page = wantsPage(request.headers.accept) ? studio()?.page : undefined;
    if (page === undefined) throw new AppError('NOT_FOUND', { message: 'There is nothing at this path.' });
    const nonce = randomBytes(18).toString('base64');
    reply.headers({
      'Content-Security-Policy': policy(nonce),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'X-Frame-Options': 'DENY',
    });
    return reply.type('text/html; charset=utf-8').send(page.replace('__NONCE__', nonce));
  });

  instance.get<{ Params: { name: string } }>('/studio/:name', { config: { public: true, unlimited: true } }, async (request, reply) => {
    const file = studio()?.files.get(request.params.name);
    if (file === undefined) throw new AppError('NOT_FOUND', { message: 'There is no such file.' });
    const { bytes, encoding } = chooseEncoding(file, request.headers['accept-encoding']);
    if (encoding !== undefined) reply.header('Content-Encoding', encoding);
    reply.headers({ 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding', 'Content-Length': bytes.length });
    return reply.type(file.type).send(bytes);
  });
}

/** Browsers name HTML; curl and clients of the interface do not. */
function wantsPage(accept: string | undefined): boolean {
  return /(^|,)\s*text\/html\s*(;|,|$)/i.test(accept ?? '');
}

/** Nothing from elsewhere, no inline scripts, no markup made from strings; the nonce is for the style sheets that the editor makes. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob:",
    "media-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function chooseEncoding(file: StudioFile, accept: string | undefined): { bytes: Buffer; encoding?: string } {
  const accepted = new Set((accept ?? '').split(',').map((part) => part.trim().toLowerCase()));
  if (file.brotli !== undefined && accepted.has('br')) return { bytes: file.brotli, encoding: 'br' };
  if (file.gzip !== undefined && accepted.has('gzip')) return { bytes: file.gzip, encoding: 'gzip' };
  return { bytes: file.plain };
}
