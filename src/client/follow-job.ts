import type { Job, ProgressEvent } from '../contract/index.js';
import { readServerEvents } from './events.js';
import { FramewrightError } from './framewright-error.js';
import { isTransient, readError, type Transport } from './transport.js';
import { sleep, startIdleTimeout } from './waiting.js';

/** Progress of a job that is being followed. */
export interface JobProgress {
  jobId: string;
  /** 0 to 1. */
  progress: number;
  /** For example `rendering_scene_1`. */
  stage: string;
}

/** Options for following a job. */
export interface FollowOptions {
  onProgress?: ((progress: JobProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** The service sends a heartbeat every 15 s; a stream without bytes for this long is lost. */
const idleTimeoutMs = 45_000;
/** Consecutive streams without events after which the job is polled instead. */
const maxEmptyStreams = 3;
const pauseMs = 1000;
const maxPauseMs = 10_000;
/** Maximum time for which the service may be unreachable while a job is polled. */
const maxOutageMs = 300_000;

interface StreamState {
  lastEventId: string;
  pauseMs: number;
  /** Whether the current stream has sent an event. */
  hasEvents: boolean;
}

/** Waits until a job is completed or failed, by its progress stream or, where streams do not pass, by polling. */
export async function followJob(transport: Transport, jobId: string, options: FollowOptions): Promise<Job> {
  const state: StreamState = { lastEventId: '', pauseMs, hasEvents: false };
  for (let emptyStreams = 0; emptyStreams < maxEmptyStreams; ) {
    state.hasEvents = false;
    const outcome = await followStream(transport, jobId, state, options);
    if (outcome === 'ended') return getJob(transport, jobId, options.signal);
    if (outcome === 'unusable') break;
    emptyStreams = state.hasEvents ? 0 : emptyStreams + 1;
    await sleep(Math.min(state.pauseMs * 2 ** Math.max(0, emptyStreams - 1), transport.settings.maxPauseMs), options.signal);
  }
  return pollJob(transport, jobId, options);
}

/** Retrieves a job. */
export function getJob(transport: Transport, jobId: string, signal: AbortSignal | undefined): Promise<Job> {
  return transport.call<Job>({ method: 'GET', path: jobPath(jobId), signal });
}

function jobPath(jobId: string): string {
  return `/api/jobs/${encodeURIComponent(jobId)}`;
}

/** ended: the job has finished; broken: reconnect; unusable: a proxy does not pass streams. */
async function followStream(
  transport: Transport,
  jobId: string,
  state: StreamState,
  { onProgress, signal }: FollowOptions,
): Promise<'ended' | 'broken' | 'unusable'> {
  const timeout = startIdleTimeout(idleTimeoutMs, signal);
  try {
    const request = { method: 'GET', path: `${jobPath(jobId)}/progress` } as const;
    const resume = state.lastEventId === '' ? {} : { 'last-event-id': state.lastEventId };
    const response = await transport.open(request, timeout.signal, { accept: 'text/event-stream', ...resume });
    if (!response.ok) return outcomeOf(readError(response, await response.text()));
    const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    if (!isStream || response.body === null) {
      await response.body?.cancel();
      return 'unusable';
    }
    const callbacks = {
      onBytes: timeout.reset,
      onRetry: (ms: number) => {
        state.pauseMs = Math.min(ms, maxPauseMs);
      },
    };
    for await (const { name, data, id } of readServerEvents(response.body as ReadableStream<Uint8Array>, callbacks)) {
      state.hasEvents = true;
      state.lastEventId = id;
      if (name === 'complete' || name === 'error') return 'ended';
      if (name === 'progress') report(onProgress, jobId, data);
    }
    return 'broken';
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof FramewrightError || error instanceof ListenerError) throw error instanceof ListenerError ? error.cause : error;
    return 'broken';
  } finally {
    timeout.clear();
  }
}

/** An exception of onProgress, which must not be taken for a stream error. */
class ListenerError extends Error {}

function report(onProgress: FollowOptions['onProgress'], jobId: string, data: string): void {
  const { progress, stage } = JSON.parse(data) as ProgressEvent;
  try {
    onProgress?.({ jobId, progress, stage });
  } catch (cause) {
    throw new ListenerError('onProgress threw', { cause });
  }
}

/** What to do after an error response: too many streams and errors of a gateway are not final. */
function outcomeOf(error: FramewrightError): 'broken' | 'unusable' {
  if (error.status === 429) return 'unusable';
  if (error.status !== undefined && error.status >= 500) return 'broken';
  throw error;
}

async function pollJob(transport: Transport, jobId: string, { onProgress, signal }: FollowOptions): Promise<Job> {
  let reachedAt = Date.now();
  for (let wait = pauseMs; ; wait = Math.min(wait * 1.5, maxPauseMs)) {
    try {
      const job = await getJob(transport, jobId, signal);
      reachedAt = Date.now();
      if (job.status === 'completed' || job.status === 'failed') return job;
      onProgress?.({ jobId, progress: job.progress, stage: job.stage ?? job.status });
    } catch (error) {
      if (!(error instanceof FramewrightError && isTransient(error)) || Date.now() - reachedAt > maxOutageMs) throw error;
    }
    await sleep(wait, signal);
  }
}
