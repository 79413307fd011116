import { basename } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors/index.js';
import type { JobStore } from '../../jobs/index.js';
import { isOutputName, mimeTypeOf, publicName, type Storage, type StoredFile } from '../../storage/index.js';
import { parseRange } from '../byte-range.js';
import { HttpError } from '../error-body.js';

export interface OutputRouteParts {
  storage: Storage;
  jobs: Pick<JobStore, 'findRemovedOutput'>;
}

/** `folder`: of a file of an output that has several. */
type OutputParams = { Params: { folder?: string; name: string } };

type OutputRequest = FastifyRequest<OutputParams>;

export function registerOutputRoute(instance: FastifyInstance, parts: OutputRouteParts): void {
  const route = (url: string): void => registerFiles(instance, url, parts);
  route('/outputs/:name');
  route('/outputs/:folder/:name');
}

function registerFiles(instance: FastifyInstance, url: string, parts: OutputRouteParts): void {
  instance.route<OutputParams>({
    method: ['GET', 'HEAD'],
    url,
    config: { public: true, unlimited: true },
    handler: async (request, reply) => {
      const { folder, name: base } = request.params;
      const name = folder === undefined ? base : `${folder}/${base}`;
      // The name itself authorizes the download, without an API key.
      const file = isOutputName(name) ? await parts.storage.open(name) : undefined;
      if (file === undefined) throw await missingFile(name, parts.jobs);
      return sendFile(request, reply, name, file);
    },
  });
}

/** 410 for an output that retention has removed, otherwise 404. */
async function missingFile(name: string, jobs: OutputRouteParts['jobs']): Promise<AppError> {
  const removedAt = isOutputName(name) ? await jobs.findRemovedOutput(name) : undefined;
  if (removedAt === undefined) return new AppError('NOT_FOUND', { message: 'File not found.' });
  return new AppError('NOT_FOUND', {
    status: 410,
    message: `The file was removed at ${removedAt}, at the end of the retention period. Render it again.`,
  });
}

async function sendFile(request: OutputRequest, reply: FastifyReply, name: string, file: StoredFile): Promise<FastifyReply> {
  const etag = `"${file.sizeBytes.toString(16)}-${Math.trunc(file.modifiedAt.getTime()).toString(16)}"`;
  const modified = file.modifiedAt.toUTCString();
  reply.headers({
    ETag: etag,
    'Last-Modified': modified,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, max-age=31536000, immutable',
    // Players of streams on other sites read the files with fetch().
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Content-Length, Content-Range',
  });
  if (isNotModified(request.headers, { etag, modified })) return reply.status(304).send();
  reply.headers({ 'Content-Type': mimeTypeOf(name), 'Content-Disposition': `inline; filename="${basename(publicName(name))}"` });

  const condition = request.headers['if-range'];
  const acceptsRange = request.method === 'GET' && (condition === undefined || condition === etag || condition === modified);
  const range = acceptsRange ? parseRange(request.headers.range, file.sizeBytes) : undefined;
  if (range === 'unsatisfiable') {
    removeFileHeaders(reply);
    throw new HttpError(416, { message: `The file has ${file.sizeBytes} bytes.`, headers: { 'Content-Range': `bytes */${file.sizeBytes}` } });
  }
  if (range !== undefined) reply.status(206).header('Content-Range', `bytes ${range.first}-${range.last}/${file.sizeBytes}`);
  const length = range === undefined ? file.sizeBytes : range.last - range.first + 1;
  if (request.method === 'HEAD') return reply.header('Content-Length', length).send();
  const bytes = await file.read(range).catch((error: unknown) => {
    removeFileHeaders(reply);
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new AppError('NOT_FOUND', { message: 'The file was removed.' }) : error;
  });
  return reply.header('Content-Length', length).send(bytes);
}

/** Removes the headers that describe the file from an error response. */
function removeFileHeaders(reply: FastifyReply): void {
  for (const header of ['ETag', 'Last-Modified', 'Cache-Control', 'Content-Disposition', 'Content-Range', 'Accept-Ranges']) reply.removeHeader(header);
}

/** If-Modified-Since applies only without If-None-Match. */
function isNotModified(headers: OutputRequest['headers'], { etag, modified }: { etag: string; modified: string }): boolean {
  if (headers['if-none-match'] !== undefined) return matchesEtag(headers['if-none-match'], etag);
  return Date.parse(headers['if-modified-since'] ?? '') >= Date.parse(modified);
}

function matchesEtag(header: string | undefined, etag: string): boolean {
  return (header ?? '')
    .split(',')
    .map((item) => item.trim().replace(/^W\//, ''))
    .some((item) => item === etag || item === '*');
}
