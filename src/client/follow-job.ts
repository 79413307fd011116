import type { Job } from '../contract/index.js';
import { readServerEvents } from './events.js';
import { FramewrightError } from './framewright-error.js';
import { readError, type Transport } from './transport.js';
import { sleep, watchSilence } from './waiting.js';

export interface JobProgress {
  jobId: string;
  /** 0 to 1. */
  progress: number;
  /** For example `rendering_scene_1`. */
  stage: string;
}

export interface FollowOptions {
  onProgress?: ((progress: JobProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** The service says something each 15 s; a stream that is silent for longer hangs somewhere on the way. */
const silenceMs = 45_000;
/** Streams in a row that brought nothing, after which the job is asked instead. */
const streamsInVain = 3;
const pauseMs = 1000;
const longestPauseMs = 10_000;
/** How long the service may be out of reach in the middle of a job. */
const patienceMs = 300_000;

interface Course {
  lastEventId: string;
  pauseMs: number;
  /** Whether the stream that is open has said anything of the job. */
  heard: boolean;
}

/** The job once it is completed or failed: by its progress stream, and by asking where no stream comes through. */
export async function followJob(transport: Transport, jobId: string, options: FollowOptions): Promise<Job> {
  const course: Course = { lastEventId: '', pauseMs, heard: false };
  for (let inVain = 0; inVain < streamsInVain; ) {
    course.heard = false;
    const outcome = await followStream(transport, jobId, course, options);
    if (outcome === 'ended') return getJob(transport, jobId, options.signal);
    if (outcome === 'unusable') break;
    inVain = course.heard ? 0 : inVain + 1;
    await sleep(Math.min(course.pauseMs * 2 ** Math.max(0, inVain - 1), transport.settings.maxPauseMs), options.signal);
  }
  return pollJob(transport, jobId, options);
}

export function getJob(transport: Transport, jobId: string, signal: AbortSignal | undefined): Promise<Job> {
  return transport.call<Job>({ method: 'GET', path: jobPath(jobId), signal });
}

function jobPath(jobId: string): string {
  return `/api/jobs/${encodeURIComponent(jobId)}`;
}

/** ended: the job is; broken: to be opened again; unusable: nothing on the way lets a stream through. */
async function followStream(
  transport: Transport,
  jobId: string,
  course: Course,
  { onProgress, signal }: FollowOptions,
): Promise<'ended' | 'broken' | 'unusable'> {
  const watch = watchSilence(silenceMs, signal);
  try {
    const request = { method: 'GET', path: `${jobPath(jobId)}/progress` } as const;
    const seen = course.lastEventId === '' ? {} : { 'last-event-id': course.lastEventId };
    const response = await transport.open(request, watch.signal, { accept: 'text/event-stream', ...seen });
    if (!response.ok) return refused(readError(response, await response.text()));
    const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    if (!isStream || response.body === null) {
      await response.body?.cancel();
      return 'unusable';
    }
    const notes = {
      onBytes: watch.heard,
      onRetry: (ms: number) => {
        course.pauseMs = Math.min(ms, longestPauseMs);
      },
    };
    for await (const { name, data, id } of readServerEvents(response.body as ReadableStream<Uint8Array>, notes)) {
      course.heard = true;
      course.lastEventId = id;
      if (name === 'complete' || name === 'error') return 'ended';
      if (name === 'progress') tell(onProgress, jobId, data);
    }
    return 'broken';
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof FramewrightError || error instanceof ListenerError) throw error instanceof ListenerError ? error.cause : error;
    return 'broken';
  } finally {
    watch.end();
  }
}

/** What the caller's own function threw: it ends the call, and is no fault of the stream. */
class ListenerError extends Error {}

function tell(onProgress: FollowOptions['onProgress'], jobId: string, data: string): void {
  const { progress, stage } = JSON.parse(data) as { progress: number; stage: string };
  try {
    onProgress?.({ jobId, progress, stage });
  } catch (cause) {
    throw new ListenerError('onProgress threw', { cause });
  }
}

/** Errors of the caller end it; too many streams, or a gateway's error, do not. */
function refused(error: FramewrightError): 'broken' | 'unusable' {
  if (error.status === 429) return 'unusable';
  if (error.status !== undefined && error.status >= 500) return 'broken';
  throw error;
}

async function pollJob(transport: Transport, jobId: string, { onProgress, signal }: FollowOptions): Promise<Job> {
  let reachedAt = Date.now();
  for (let wait = pauseMs; ; wait = Math.min(wait * 1.5, longestPauseMs)) {
    try {
      const job = await getJob(transport, jobId, signal);
      reachedAt = Date.now();
      if (job.status === 'completed' || job.status === 'failed') return job;
      onProgress?.({ jobId, progress: job.progress, stage: job.stage ?? job.status });
    } catch (error) {
      const isOutage = error instanceof FramewrightError && (error.code === 'CONNECTION_FAILED' || error.status === 429 || (error.status ?? 0) >= 500);
      if (!isOutage || Date.now() - reachedAt > patienceMs) throw error;
    }
    await sleep(wait, signal);
  }
}
