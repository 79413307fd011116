import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors/index.js';
import type { Storage, StoredFile } from '../../storage/index.js';
import { parseRange } from '../byte-range.js';
import { Refusal } from '../refusal.js';

/** Job id and 256 random bits: whoever knows the name may have the file, so no key is asked for. */
const outputName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9a-f]{64}\.mp4$/;

type OutputRequest = FastifyRequest<{ Params: { name: string } }>;

export function registerOutputRoute(instance: FastifyInstance, parts: { storage: Storage }): void {
  const options = { config: { public: true, unlimited: true } };
  instance.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/outputs/:name',
    ...options,
    handler: async (request, reply) => {
      const { name } = request.params;
      const file = outputName.test(name) ? await parts.storage.open(name) : undefined;
      if (file === undefined) throw new AppError('NOT_FOUND', { message: 'There is no such file.' });
      return answerFile(request, reply, name, file);
    },
  });
}

function answerFile(request: OutputRequest, reply: FastifyReply, name: string, file: StoredFile): FastifyReply {
  const etag = `"${file.sizeBytes.toString(16)}-${Math.trunc(file.modifiedAt.getTime()).toString(16)}"`;
  const modified = file.modifiedAt.toUTCString();
  reply.headers({
    ETag: etag,
    'Last-Modified': modified,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, max-age=31536000, immutable',
  });
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.status(304).send();
  reply.headers({ 'Content-Type': 'video/mp4', 'Content-Disposition': `inline; filename="${name.slice(0, 36)}.mp4"` });

  const condition = request.headers['if-range'];
  const rangeCounts = request.method === 'GET' && (condition === undefined || condition === etag || condition === modified);
  const range = rangeCounts ? parseRange(request.headers.range, file.sizeBytes) : undefined;
  if (range === 'unsatisfiable') {
    // An error body is not the file: what describes the file must not describe it.
    for (const header of ['ETag', 'Last-Modified', 'Cache-Control', 'Content-Disposition']) reply.removeHeader(header);
    throw new Refusal(416, { message: `The file has ${file.sizeBytes} bytes.`, headers: { 'Content-Range': `bytes */${file.sizeBytes}` } });
  }
  if (range !== undefined) reply.status(206).header('Content-Range', `bytes ${range.first}-${range.last}/${file.sizeBytes}`);
  reply.header('Content-Length', range === undefined ? file.sizeBytes : range.last - range.first + 1);
  if (request.method === 'HEAD') return reply.send();
  return reply.send(file.read(range));
}

function matchesEtag(header: string | undefined, etag: string): boolean {
  return (header ?? '')
    .split(',')
    .map((item) => item.trim().replace(/^W\//, ''))
    .some((item) => item === etag || item === '*');
}
