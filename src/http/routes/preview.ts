import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../accounts/index.js';
import type { FrameHeader, OpenedPreview, PreviewFrameRequest, PreviewFramesRequest, PreviewRequest } from '../../contract/index.js';
import { type ExportPolicy, parseExports, redactExports } from '../../delivery/exports/index.js';
import { AppError } from '../../errors/index.js';
import { type DrawOptions, type FrameTimes, maxFramesPerSecond, type PreviewFrame, PreviewLimits, type Previews } from '../../preview/index.js';
import {
  type CheckGeneration,
  type CheckUrl,
  type ComponentChecker,
  dropUnusedVariables,
  estimateMovie,
  mergeVariables,
  type ProviderPricing,
  parseMovie,
} from '../../script/index.js';
import { describeError, toAppError } from '../error-body.js';
import { createBodyCheck } from '../openapi/request-check.js';
import { callerOf } from '../plugins/admission.js';
import { defaultWidth, frameOperation, framesOperation, maxFrames, openOperation } from './preview-operations.js';

/** What the preview routes need. */
export interface PreviewRouteParts {
  previews: Previews;
  clock: Clock;
  /** The rules for scripts of renders apply here too. */
  checkUrl: CheckUrl;
  components: ComponentChecker;
  checkGeneration: CheckGeneration;
  pricing: ProviderPricing;
  exportPolicy: ExportPolicy;
}

/** Frames of a script before it is rendered. Only the preview processes keep state between requests, so any host can answer. */
export function registerPreviewRoutes(instance: FastifyInstance, parts: PreviewRouteParts): void {
  const { previews } = parts;
  const limits = new PreviewLimits(parts.clock);
  const activeRequests = new Set<AbortController>();
  instance.addHook('preClose', async () => {
    for (const cancel of activeRequests) cancel.abort();
  });
  const bodyErrorCode = 'INVALID_REQUEST' as const;
  /** Runs work that is cancelled when the connection closes. */
  const whileConnected = async (reply: FastifyReply, work: (signal: AbortSignal) => Promise<FastifyReply>): Promise<FastifyReply> => {
    const cancel = new AbortController();
    activeRequests.add(cancel);
    reply.raw.once('close', () => {
      activeRequests.delete(cancel);
      cancel.abort();
    });
    try {
      return await work(cancel.signal);
    } catch (error) {
      if (!cancel.signal.aborted || !reply.raw.destroyed) throw error;
      // The client has gone: there is no one to answer.
      return reply.hijack();
    }
  };

  const checkOpen = createBodyCheck('PreviewRequest', bodyErrorCode);
  instance.post('/api/preview', { config: { bodyErrorCode, operation: openOperation } }, (request, reply) =>
    whileConnected(reply, async (signal) => {
      const script = applyVariables(checkOpen(request.body));
      const movie = parseMovie(script, parts);
      parseExports(movie.exports, { ...parts.exportPolicy, outputs: movie.outputs });
      const { providerCredits } = estimateMovie(movie, parts.pricing);
      const summary = await previews.open({ accountId: callerOf(request).accountId, script: withoutSecrets(script) }, signal);
      const response: OpenedPreview = {
        ...summary,
        estimated_credits: summary.estimated_credits + providerCredits,
        ...(providerCredits > 0 && { provider_credits: providerCredits }),
        variables: variablesOf(script),
      };
      return reply.send(response);
    }),
  );

  const checkFrame = createBodyCheck('PreviewFrameRequest', bodyErrorCode);
  const ownLimit = { name: 'previews', perMinute: maxFramesPerSecond * 60 };
  const checkRate = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const length = Number(request.headers['content-length'] ?? 0);
    limits.take(callerOf(request).accountId, Number.isFinite(length) ? length : 0, (name, value) => reply.header(name, value));
  };
  const frameOptions = { config: { bodyErrorCode, ownLimit, operation: frameOperation }, onRequest: checkRate };
  instance.post('/api/preview/frame', frameOptions, (request, reply) =>
    whileConnected(reply, async (signal) => {
      const body = checkFrame(request.body);
      const { accountId } = callerOf(request);
      const release = await limits.acquire(accountId, 'frame', (name, value) => reply.header(name, value));
      try {
        const options = { times: { times: [body.time] }, ...readDrawOptions(body) };
        for await (const frame of previews.draw({ accountId, script: withoutSecrets(applyVariables(body)), options }, signal)) return sendFrame(reply, frame);
        throw new AppError('INTERNAL_ERROR', { detail: 'a preview process returned no frame' });
      } finally {
        release();
      }
    }),
  );

  const checkFrames = createBodyCheck('PreviewFramesRequest', bodyErrorCode);
  instance.post('/api/preview/frames', { config: { bodyErrorCode, operation: framesOperation } }, (request, reply) =>
    whileConnected(reply, async (signal) => {
      const body = checkFrames(request.body);
      const options = { times: readTimes(body), ...readDrawOptions(body) };
      const { accountId } = callerOf(request);
      const release = await limits.acquire(accountId, 'frames', (name, value) => reply.header(name, value));
      reply.raw.once('close', release);
      const frames = previews.draw({ accountId, script: withoutSecrets(applyVariables(body)), options }, signal);
      // The first frame is awaited before the response starts, so that errors of the movie get a status.
      const first = await frames.next().catch((error: unknown) => {
        release();
        throw error;
      });
      reply.type('application/octet-stream').header('Cache-Control', 'no-store').header('X-Accel-Buffering', 'no');
      return reply.send(Readable.from(records(first, frames), { objectMode: false, highWaterMark: 1 }));
    }),
  );
}

function applyVariables({ movie, variables = {} }: PreviewRequest): unknown {
  return mergeVariables(movie, variables);
}

/** The script for a preview process: variables applied, secrets of exports removed. */
function withoutSecrets(script: unknown): unknown {
  return redactExports(dropUnusedVariables(script));
}

function readDrawOptions({ width = defaultWidth, format = 'jpeg' }: Pick<PreviewFrameRequest, 'width' | 'format'>): Omit<DrawOptions, 'times'> {
  return { width, format };
}

function readTimes({ times, from, to, step }: PreviewFramesRequest): FrameTimes {
  const isRange = from !== undefined && to !== undefined && step !== undefined;
  if (times !== undefined && from === undefined && to === undefined && step === undefined) return { times };
  if (times !== undefined || !isRange) throw new AppError('INVALID_REQUEST', { message: 'Give either times, or from, to and step.', path: 'times' });
  if (to < from) throw new AppError('INVALID_REQUEST', { message: `to must not be before from (${from}).`, path: 'to' });
  if ((to - from) / step + 1e-6 < maxFrames) return { from, to, step };
  throw new AppError('INVALID_REQUEST', {
    message: `At most ${maxFrames} frames may be requested; from ${from} to ${to} in steps of ${step} there are more.`,
    path: 'step',
  });
}

function sendFrame(reply: FastifyReply, { time, type, bytes }: PreviewFrame): FastifyReply {
  return reply
    .type(type)
    .headers({ 'X-Preview-Time': String(time), 'Cache-Control': 'no-store' })
    .send(asBuffer(bytes));
}

/** One record per frame: the length of its JSON header (4 bytes, big-endian), the header, the bytes of the image. */
async function* records(first: IteratorResult<PreviewFrame, void>, rest: AsyncGenerator<PreviewFrame, void>): AsyncGenerator<Buffer, void> {
  try {
    if (first.done !== true) yield record(first.value);
    for await (const frame of rest) yield record(frame);
  } catch (error) {
    yield encodeHeader({ ...describeError(toAppError(error)), bytes: 0 });
  } finally {
    await rest.return();
  }
}

function record({ time, type, bytes }: PreviewFrame): Buffer {
  return Buffer.concat([encodeHeader({ time, type, bytes: bytes.byteLength } satisfies FrameHeader), asBuffer(bytes)]);
}

function encodeHeader(header: object): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json]);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Names that start with @ or ? describe variables for forms. */
function variablesOf(script: unknown): Record<string, unknown> {
  const { variables } = script as { variables?: unknown };
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables)) return {};
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !/^[@?]/.test(name)));
}
