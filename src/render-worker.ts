import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from './config/index.js';
import { createEnginePool, type Engine, type EngineExitError, type EngineProcess, type InteropBackend, startEngineProcess } from './engine/index.js';
import { AppError } from './errors/index.js';
import { loadPacks } from './graphics/components/index.js';
import { createFontCatalogue, createHtmlSprites, createTextSprites, withDrawingProbe } from './graphics/index.js';
import type { EncoderFailure, FromWorker, Observation, ToWorker, WorkerJob } from './jobs/worker-protocol.js';
import { createOutbound, observeOutbound } from './outbound/index.js';
import { createGenerator } from './providers/generation/index.js';
import { createPricing } from './providers/pricing/index.js';
import { createSpeechSynthesizer } from './providers/speech/index.js';
import { createRecogniser } from './providers/transcription/index.js';
import { createAssets } from './render/assets/index.js';
import type { EncoderFallback, RenderContext, RenderOutput } from './render/index.js';
import {
  checkRequiredEncoder,
  createEncoderSelection,
  planDistributed,
  type RenderRequest,
  renderDistributedSegment,
  renderMockMovie,
  renderMovie,
  stitchDistributed,
} from './render/index.js';
import { createFileCache, createScopedCache } from './storage/cache/index.js';
import { type EncoderName, encoders, isHardware } from './timeline/index.js';

/**
 * Render process: receives one job at a time from the service over IPC and renders it. A separate engine process per job opens the
 * media; it has no network and can access only the job's folder. If it crashes, the attempt fails.
 */

// An unwritable log (a full disk) must not end a render.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const ALIVE_INTERVAL_MS = 1000;
const config = loadConfig();
const engines = createEnginePool({ ...config.sandbox, folder: config.storage.workDir, readable: [] });
const fonts = createFontCatalogue({ cleaning: { program: config.sandbox.fontSanitizer, mode: config.sandbox.mode } });
const voices = createSpeechSynthesizer(config.voice, config.outbound);
const generator = createGenerator(config.generation, config.outbound);
const pricing = createPricing(config);
const recogniser = config.speechToText && createRecogniser(config.speechToText, config.outbound, { extractSound });

const packetCache = createFileCache({ folder: config.cache.segmentsDir, maxBytes: config.cache.maxSegmentBytes });

const packs = loadPacks(config.packs.folder);

const encoderChoice = createEncoderSelection(config.engine.encoder, ({ name, available, refusal, reason, ignoredOptions }) => {
  observe({ kind: 'encoder-trial', encoder: name, available, refusal });
  if (!available) console.error(JSON.stringify({ level: 'info', message: 'hardware encoder is unavailable', encoder: name, refusal, reason }));
  if (ignoredOptions.length > 0) {
    console.error(JSON.stringify({ level: 'warn', message: 'an encoder ignored unknown options', encoder: name, options: ignoredOptions }));
  }
});

function gpuOf(encoder: EncoderName): string {
  return isHardware(encoder) ? encoders[encoder].backend : 'none';
}

function onEncoderFallback(jobId: string, { from, to, reason, detail }: EncoderFallback): void {
  encoderChoice.invalidate(from);
  console.error(JSON.stringify({ level: 'warn', message: 'hardware encoder failed', job_id: jobId, from, to, reason, detail }));
  observe({ kind: 'encoder-fallback', from, to, reason });
}

const loggedReasons = new Set<string>();

/** Logs each reason once per process, because it applies to every segment and clip. */
function logSlowPath(message: string, backend: string, reason: string | undefined): void {
  if (reason === undefined || loggedReasons.has(reason)) return;
  loggedReasons.add(reason);
  console.error(JSON.stringify({ level: 'info', message, backend, reason }));
}

function onFrameTransfer(backend: InteropBackend | 'host', reason: string | undefined): void {
  observe({ kind: 'frame-interop', backend });
  const message = backend === 'host' ? 'frames do not stay on the graphics device' : 'a faster path from the graphics device to the encoder is not used';
  logSlowPath(message, backend, reason);
}

function onDecode(backend: 'nvdec' | 'vaapi' | 'software', reason: string | undefined): void {
  observe({ kind: 'clip-decode', backend });
  logSlowPath('a clip is not decoded by a graphics device', backend, reason);
}

interface RunningJob {
  job: WorkerJob;
  engine: EngineProcess | undefined;
  cancel: AbortController;
  /** Resolvers of the requests that wait for `proceed`, by request number. */
  pendingRequests: Map<number, () => void>;
  /** Hardware encoder that failed during this segment. */
  encoderFailure?: EncoderFailure;
}

/** A message to which the service responds with `proceed`, without `jobId` and `request`. */
type ServiceRequest =
  Extract<FromWorker, { request: number }> extends infer Message ? (Message extends unknown ? Omit<Message, 'jobId' | 'request'> : never) : never;

let requestCount = 0;
let running: RunningJob | undefined;
let isDraining = false;

function send(message: FromWorker): void {
  // A closed channel means that the service has exited; the disconnect listener ends this process.
  if (process.connected) process.send?.(message);
}

function observe(observation: Observation): void {
  send({ type: 'observed', observation });
}

/** Extracts sound with the engine of the current job. */
async function extractSound(...call: Parameters<Engine['extractSound']>): ReturnType<Engine['extractSound']> {
  if (running?.engine === undefined) throw new AppError('INTERNAL_ERROR', { detail: 'extractSound was called without a running job' });
  return running.engine.extractSound(...call);
}

function createRenderContext(job: WorkerJob, engine: Engine): RenderContext {
  const sharedOutbound = createOutbound(config.outbound);
  const outboundFor = (sink: string) => {
    const onFetched = (result: 'ok' | 'blocked' | 'failed', bytes: number): void => observe({ kind: 'media-fetch', result, bytes });
    return observeOutbound(sharedOutbound, { blocked: () => observe({ kind: 'blocked', sink }), fetched: onFetched });
  };
  const outbound = outboundFor('media');
  return {
    engine,
    assets: createAssets({
      folder: join(job.workDir, 'assets'),
      outbound,
      probe: withDrawingProbe((path) => engine.probe(path), { folder: join(job.workDir, 'drawings'), mode: config.sandbox.mode }),
    }),
    sprites: createTextSprites({ folder: join(job.workDir, 'sprites'), fonts }),
    openHtml: (folder) => createHtmlSprites({ folder, ...config.html, outbound: outboundFor('html') }),
    voices,
    generator,
    pricing,
    ...(recogniser && { recogniser }),
    packs,
    // Per account, because hostile media may compromise an engine and its output. Placeholders of sandbox jobs are not cached.
    ...(!job.sandbox && { packetCache: createScopedCache(packetCache, job.accountId) }),
    onSegmentCache: (seen) => observe({ kind: 'segment-cache', ...seen }),
    compositor: config.engine.compositor,
    // A driver crash must not repeat in the next attempt.
    interop: job.attempt > 1 ? 'off' : config.engine.interop,
    hardwareDecode: job.attempt > 1 ? 'off' : config.engine.hardwareDecode,
    copies: config.engine.copies,
    sandboxMode: config.sandbox.mode,
    checkUrl: outbound.checkUrl,
    checkResolved: outboundFor('webhook').checkResolved,
    encoders: encoderChoice,
    onEncoder: (encoder, open) => observe({ kind: 'encoder-session', encoder, gpu: gpuOf(encoder), open }),
    onFallback: (fallback) => onEncoderFallback(job.jobId, fallback),
    onFrameTransfer,
    onDecode,
    onDeviceFailure: (detail) => console.error(JSON.stringify({ level: 'warn', message: 'graphics device failed', job_id: job.jobId, detail })),
  };
}

function recordEncoderFailure(encoder: EncoderFailure & { name: EncoderName }): void {
  encoderChoice.invalidate(encoder.name);
  if (running !== undefined) running.encoderFailure = encoder;
}

function runTask(job: WorkerJob, request: RenderRequest, context: RenderContext): Promise<RenderOutput> {
  const { task } = job;
  switch (task?.kind) {
    case undefined:
      return (job.sandbox ? renderMockMovie : renderMovie)(request, context);
    case 'layout':
      return planDistributed(request, context);
    case 'part':
      return renderDistributedSegment({ ...request, stagedDir: task.stagedDir, onEncoderLost: recordEncoderFailure }, context);
    case 'stitch':
      return stitchDistributed({ ...request, stagedDir: task.stagedDir, onEncoderLost: recordEncoderFailure }, context);
  }
}

async function runJob(job: WorkerJob): Promise<void> {
  const cancel = new AbortController();
  const current: RunningJob = { job, engine: undefined, cancel, pendingRequests: new Map() };
  running = current;
  const sendAlive = (): void => send({ type: 'alive', jobId: job.jobId });
  // Sent immediately, because the first message marks the start of the job.
  sendAlive();
  const heartbeat = setInterval(sendAlive, ALIVE_INTERVAL_MS);
  try {
    current.engine = await engines.acquire(job.workDir);
    const output = await runTask(
      job,
      {
        script: job.script,
        workDir: job.workDir,
        outputPath: job.outputPath,
        signal: cancel.signal,
        onProgress: (progress, stage) => send({ type: 'progress', jobId: job.jobId, progress, stage }),
        onReserve: (plan) => waitForService(current, { type: 'reserve', ...plan }),
        onBought: (purchase) => waitForService(current, { type: 'bought', purchase }),
        onPlanned: (plan) => waitForService(current, { type: 'planned', ...plan }),
      },
      createRenderContext(job, current.engine),
    );
    sendCompleted(job.jobId, output);
  } catch (error) {
    if (current.engine?.exitError === undefined) sendFailed(job.jobId, error);
    else sendInterrupted(job.jobId, current.engine.exitError);
  } finally {
    // The media may have compromised the engine, so it is not reused.
    void current.engine?.close();
    clearInterval(heartbeat);
    running = undefined;
  }
  if (isDraining) process.disconnect?.();
  else send({ type: 'ready' });
}

/** Sends a request to the service and waits for `proceed`; rejects when the job is cancelled. */
function waitForService({ job, pendingRequests, cancel }: RunningJob, message: ServiceRequest): Promise<void> {
  requestCount += 1;
  const request = requestCount;
  const proceeding = new Promise<void>((resolve) => void pendingRequests.set(request, resolve));
  send({ ...message, jobId: job.jobId, request } as FromWorker);
  return rejectWhenAborted(proceeding, cancel.signal);
}

function sendCompleted(jobId: string, output: RenderOutput): void {
  const { durationSeconds, sizeBytes, frames, warnings, encoder } = output;
  const outputs = output.outputs?.map(({ path: _path, sizeBytes: _size, ...file }) => file);
  send({ type: 'completed', jobId, durationSeconds, sizeBytes, frames, warnings, encoder, ...(outputs !== undefined && { outputs }) });
}

function sendFailed(jobId: string, error: unknown): void {
  const known = error instanceof AppError;
  const code = known && error.code === 'INTERNAL_ERROR' ? 'INTERNAL_ERROR' : 'RENDER_FAILED';
  const message = known ? error.message : 'The render stopped for an unexpected reason.';
  console.error(
    JSON.stringify({
      level: 'error',
      job_id: jobId,
      code,
      message,
      detail: known ? error.detail : undefined,
      stack: error instanceof Error ? error.stack : String(error),
    }),
  );
  const encoder = running?.encoderFailure;
  send({ type: 'failed', jobId, code, message, ...(encoder !== undefined && { encoder }) });
}

function sendInterrupted(jobId: string, { reason, message, detail }: EngineExitError): void {
  console.error(JSON.stringify({ level: 'error', job_id: jobId, reason, message, detail }));
  send({ type: 'interrupted', jobId, loss: reason, message });
}

function rejectWhenAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new AppError('RENDER_FAILED', { message: 'The render was cancelled.' }));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

process.on('message', (message: ToWorker) => {
  switch (message.type) {
    case 'render':
      void runJob(message.job);
      break;
    case 'proceed':
      if (running?.job.jobId === message.jobId) running.pendingRequests.get(message.request)?.();
      break;
    case 'cancel':
      if (running?.job.jobId === message.jobId) running.cancel.abort();
      break;
    case 'describe':
      void describeHost();
      break;
    case 'drain':
      isDraining = true;
      if (running === undefined) process.disconnect?.();
      break;
  }
});
// Without the service the result cannot be stored; the job is requeued when its lease expires.
process.on('disconnect', () => process.exit(0));

/** Reports what this host supports; uses a separate engine so that it does not wait for the current job. */
async function describeHost(): Promise<void> {
  const folder = await mkdtemp(join(config.storage.workDir, `engine-${process.pid}-`));
  const engine = startEngineProcess({ ...config.sandbox, folder, readable: [] });
  try {
    const [identity, { encoders, compositors }] = [await engine.identity(), await engine.capabilities()];
    const listAvailable = (probes: Array<{ name: string; available: boolean }>): string[] =>
      probes.filter(({ available }) => available).map(({ name }) => name);
    send({ type: 'ability', ability: { identity, encoders: listAvailable(encoders), compositors: listAvailable(compositors) } });
  } catch (error) {
    console.error(JSON.stringify({ level: 'error', message: 'failed to probe the capabilities of this host', detail: String(error) }));
  } finally {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reports to the service that this process accepts jobs; exits with code 1 when the configured encoder is unavailable. */
export async function startWorker(): Promise<void> {
  try {
    await checkRequiredEncoder(encoderChoice, { ...config.sandbox, folder: config.storage.workDir, readable: [] });
  } catch (error) {
    console.error(JSON.stringify({ level: 'fatal', message: error instanceof Error ? error.message : String(error) }));
    process.exit(1);
  }
  send({ type: 'ready' });
}
