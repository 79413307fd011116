import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors/index.js';
import { readStudioFiles, type StudioFile, type StudioFiles } from '../studio-files.js';

/** Output of the Studio build, also when this module runs from `src`. */
const builtFolder = fileURLToPath(new URL('../../../dist/studio', import.meta.url));

/** Serves Studio at `/`, to clients that accept HTML, and its files. */
export function registerStudioRoutes(instance: FastifyInstance): void {
  let files: StudioFiles | undefined;
  const studio = (): StudioFiles | undefined => {
    files ??= readStudioFiles(builtFolder);
    return files;
  };

  instance.get('/', { config: { public: true } }, async (request, reply) => {
    reply.header('Vary', 'Accept');
    const page = wantsPage(request.headers.accept) ? studio()?.page : undefined;
    if (page === undefined) throw new AppError('NOT_FOUND', { message: 'Path not found.' });
    const nonce = randomBytes(18).toString('base64');
    reply.headers({
      'Content-Security-Policy': contentSecurityPolicy(nonce),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'X-Frame-Options': 'DENY',
    });
    return reply.type('text/html; charset=utf-8').send(page.replace('__NONCE__', nonce));
  });

  instance.get<{ Params: { name: string } }>('/studio/:name', { config: { public: true, unlimited: true } }, async (request, reply) => {
    const file = studio()?.files.get(request.params.name);
    if (file === undefined) throw new AppError('NOT_FOUND', { message: 'File not found.' });
    const { bytes, encoding } = chooseEncoding(file, request.headers['accept-encoding']);
    if (encoding !== undefined) reply.header('Content-Encoding', encoding);
    reply.headers({ 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding', 'Content-Length': bytes.length });
    return reply.type(file.type).send(bytes);
  });
}

/** True for browsers; curl and API clients do not name HTML. */
function wantsPage(accept: string | undefined): boolean {
  return /(^|,)\s*text\/html\s*(;|,|$)/i.test(accept ?? '');
}

/** Same-origin only, no inline scripts, no markup from strings; the nonce permits the style sheets that the editor creates. */
function contentSecurityPolicy(nonce: string): string {
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
