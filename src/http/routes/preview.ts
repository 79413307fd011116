import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../accounts/index.js';
import { type ExportPolicy, parseExports, redactExports } from '../../delivery/exports/index.js';
import { AppError } from '../../errors/index.js';
import type { Moments, PictureFormat, PreviewFacts, PreviewPicture, Previews } from '../../preview/index.js';
import {
  type CheckGeneration,
  type CheckUrl,
  type ComponentChecker,
  dropUnusedVariables,
  mergeVariables,
  parseMovie,
  type Variables,
} from '../../script/index.js';
import { describeError, toAppError } from '../error-body.js';
import { compileBodyCheck } from '../openapi/request-check.js';
import { callerOf } from '../plugins/admission.js';
import { framesPerSecond, PreviewLimits } from '../preview-limits.js';
import { frameBody, frameOperation, framesBody, framesOperation, mostPictures, openBody, openOperation } from './preview-operations.js';

export interface PreviewRouteParts {
  previews: Previews;
  clock: Clock;
  /** The rules that scripts of renders are read by. */
  checkUrl: CheckUrl;
  components: ComponentChecker;
  checkGeneration: CheckGeneration;
  exportPolicy: ExportPolicy;
}

interface Drawing {
  width: number;
  format: PictureFormat;
}

const defaultWidth = 640;

/** Pictures of a script before it is rendered. Nothing is kept between requests but in the preview processes, which any node has. */
export function registerPreviewRoutes(instance: FastifyInstance, parts: PreviewRouteParts): void {
  const { previews } = parts;
  const limits = new PreviewLimits(parts.clock);
  const underWay = new Set<AbortController>();
  instance.addHook('preClose', async () => {
    for (const stop of underWay) stop.abort();
  });
  const bodyErrorCode = 'INVALID_REQUEST' as const;
  /** Work that ends with its connection. */
  const whileConnected = async (reply: FastifyReply, work: (signal: AbortSignal) => Promise<FastifyReply>): Promise<FastifyReply> => {
    const stop = new AbortController();
    underWay.add(stop);
    reply.raw.once('close', () => {
      underWay.delete(stop);
      stop.abort();
    });
    try {
      return await work(stop.signal);
    } catch (error) {
      if (!stop.signal.aborted || !reply.raw.destroyed) throw error;
      // Nobody is there to be told.
      return reply.hijack();
    }
  };

  const checkOpen = compileBodyCheck(openBody, bodyErrorCode);
  instance.post('/api/preview', { config: { bodyErrorCode, operation: openOperation } }, (request, reply) =>
    whileConnected(reply, async (signal) => {
      const script = filled(checkOpen(request.body));
      const movie = parseMovie(script, parts);
      parseExports(movie.exports, parts.exportPolicy);
      const facts = await previews.open({ accountId: callerOf(request).accountId, script: forDrawing(script) }, signal);
      return reply.send(viewFacts(facts, script));
    }),
  );

  const checkFrame = compileBodyCheck(frameBody, bodyErrorCode);
  const ownLimit = { name: 'previews', perMinute: framesPerSecond * 60 };
  const countFrame = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const length = Number(request.headers['content-length'] ?? 0);
    limits.take(callerOf(request).accountId, Number.isFinite(length) ? length : 0, (name, value) => reply.header(name, value));
  };
  const frameOptions = { config: { bodyErrorCode, ownLimit, operation: frameOperation }, onRequest: countFrame };
  instance.post('/api/preview/frame', frameOptions, (request, reply) =>
    whileConnected(reply, async (signal) => {
      const body = checkFrame(request.body);
      const { accountId } = callerOf(request);
      const leave = await limits.enter(accountId, 'frame', (name, value) => reply.header(name, value));
      try {
        const wish = { moments: { times: [body.time as number] }, ...drawingOf(body) };
        for await (const picture of previews.draw({ accountId, script: forDrawing(filled(body)), wish }, signal)) return sendPicture(reply, picture);
        throw new AppError('INTERNAL_ERROR', { detail: 'a preview process drew nothing' });
      } finally {
        leave();
      }
    }),
  );

  const checkFrames = compileBodyCheck(framesBody, bodyErrorCode);
  instance.post('/api/preview/frames', { config: { bodyErrorCode, operation: framesOperation } }, (request, reply) =>
    whileConnected(reply, async (signal) => {
      const body = checkFrames(request.body);
      const wish = { moments: momentsOf(body), ...drawingOf(body) };
      const { accountId } = callerOf(request);
      const leave = await limits.enter(accountId, 'frames', (name, value) => reply.header(name, value));
      reply.raw.once('close', leave);
      const pictures = previews.draw({ accountId, script: forDrawing(filled(body)), wish }, signal);
      // Before the answer begins: whatever is wrong with the movie is told by its status.
      const first = await pictures.next().catch((error: unknown) => {
        leave();
        throw error;
      });
      reply.type('application/octet-stream').header('Cache-Control', 'no-store').header('X-Accel-Buffering', 'no');
      return reply.send(Readable.from(records(first, pictures), { objectMode: false, highWaterMark: 1 }));
    }),
  );
}

function filled({ movie, variables }: Record<string, unknown>): unknown {
  return mergeVariables(movie, (variables ?? {}) as Variables);
}

/** What a preview process gets of a script: not the secrets of its exports. */
function forDrawing(script: unknown): unknown {
  return redactExports(dropUnusedVariables(script));
}

function drawingOf({ width, format }: Record<string, unknown>): Drawing {
  return { width: (width as number | undefined) ?? defaultWidth, format: (format as PictureFormat | undefined) ?? 'jpeg' };
}

function momentsOf(body: Record<string, unknown>): Moments {
  const { times, from, to, step } = body as { times?: number[]; from?: number; to?: number; step?: number };
  const isRange = from !== undefined && to !== undefined && step !== undefined;
  if (times !== undefined && from === undefined && to === undefined && step === undefined) return { times };
  if (times !== undefined || !isRange) throw new AppError('INVALID_REQUEST', { message: 'Give either times, or from, to and step.', path: 'times' });
  if (to < from) throw new AppError('INVALID_REQUEST', { message: `to must not be before from (${from}).`, path: 'to' });
  if ((to - from) / step + 1e-6 < mostPictures) return { from, to, step };
  throw new AppError('INVALID_REQUEST', {
    message: `At most ${mostPictures} pictures are drawn at once; from ${from} to ${to} in steps of ${step} there are more.`,
    path: 'step',
  });
}

function sendPicture(reply: FastifyReply, { time, type, bytes }: PreviewPicture): FastifyReply {
  return reply
    .type(type)
    .headers({ 'X-Preview-Time': String(time), 'Cache-Control': 'no-store' })
    .send(asBuffer(bytes));
}

/** Each picture as it is drawn: how long its description is (4 bytes, big-endian), the description as JSON, its bytes. */
async function* records(first: IteratorResult<PreviewPicture, void>, rest: AsyncGenerator<PreviewPicture, void>): AsyncGenerator<Buffer, void> {
  try {
    if (first.done !== true) yield record(first.value);
    for await (const picture of rest) yield record(picture);
  } catch (error) {
    yield framed({ ...describeError(toAppError(error)), bytes: 0 });
  } finally {
    await rest.return();
  }
}

function record({ time, type, bytes }: PreviewPicture): Buffer {
  return Buffer.concat([framed({ time, type, bytes: bytes.byteLength }), asBuffer(bytes)]);
}

function framed(description: object): Buffer {
  const json = Buffer.from(JSON.stringify(description));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json]);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function viewFacts({ estimatedCredits, scenes, elements, warnings, ...facts }: PreviewFacts, script: unknown): object {
  return { ...facts, estimated_credits: estimatedCredits, scenes, elements, variables: variablesOf(script), warnings };
}

/** Names with a sign in front of them describe variables for forms. */
function variablesOf(script: unknown): Record<string, unknown> {
  const { variables } = script as { variables?: unknown };
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables)) return {};
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !/^[@?]/.test(name)));
}
