import type { FastifyInstance } from 'fastify';
import type { CompleteEvent, ProgressEvent } from '../../contract/index.js';
import { AppError } from '../../errors/index.js';
import type { Job, JobEvent, JobEvents, JobStore } from '../../jobs/index.js';
import { EventStream, formatEvent, isFinalId } from '../event-stream.js';
import type { OutputUri } from '../job-view.js';
import { OpenStreams } from '../open-streams.js';
import { jobIdParameter, type Operation } from '../openapi/operation.js';
import type { Metrics } from '../operations/index.js';
import { callerOf } from '../plugins/admission.js';

export interface JobProgressParts {
  jobs: JobStore;
  events: JobEvents;
  outputUri: OutputUri;
  metrics: Pick<Metrics, 'countStreams'>;
}

export function registerJobProgressRoute(instance: FastifyInstance, parts: JobProgressParts): void {
  const streams = new Set<EventStream>();
  const openStreams = new OpenStreams();
  const format = createEventFormatter(parts.outputUri);
  instance.addHook('preClose', async () => {
    for (const stream of streams) stream.end();
  });

  const options = { config: { keyInQuery: true, operation: progressOperation }, exposeHeadRoute: false };
  instance.get<{ Params: { job_id: string } }>('/api/jobs/:job_id/progress', options, async (request, reply) => {
    const caller = callerOf(request);
    const { accountId } = caller;
    openStreams.checkLimit(caller, reply);
    const jobId = request.params.job_id;
    // Subscribing before the job is read loses no event.
    const missed: JobEvent[] = [];
    let deliver: (event: JobEvent) => void = (event) => missed.push(event);
    const unsubscribe = parts.events.subscribe(jobId, (event) => deliver(event));
    let job: Job;
    try {
      const found = await parts.jobs.find(accountId, jobId);
      if (found === undefined || request.raw.destroyed) throw new AppError('NOT_FOUND', { message: 'Job not found.' });
      // Other streams may have opened while the job was read.
      openStreams.checkLimit(caller, reply);
      job = found;
    } catch (error) {
      unsubscribe();
      throw error;
    }
    const lastEventId = parseLastEventId(request.headers['last-event-id']);
    if (isFinished(job) && isFinalId(lastEventId)) {
      // Nothing follows. An EventSource that gets 204 does not reconnect again.
      unsubscribe();
      return reply.status(204).send();
    }
    openStreams.add(caller);

    reply.hijack();
    const refresh = async (): Promise<void> => {
      const current = await parts.jobs.find(accountId, jobId);
      if (current !== undefined && isFinished(current)) deliver(finalEvent(current));
    };
    const stream = new EventStream(reply.raw, {
      headers: reply.getHeaders(),
      lastEventId,
      // Another process may finish the job without an event in this one.
      onHeartbeat: () => void refresh().catch((error: unknown) => request.log.error({ err: error, job_id: jobId }, 'failed to read a job')),
      onClose: () => {
        unsubscribe();
        streams.delete(stream);
        openStreams.remove(caller);
        parts.metrics.countStreams(-1);
      },
    });
    streams.add(stream);
    parts.metrics.countStreams(1);
    let maxProgress = 0;
    deliver = (event) => {
      // Progress of hosts that render segments of one movie arrives out of order; a movie that is rendered again starts over at `preparing`.
      if (event.type === 'progress' && event.stage !== 'preparing' && event.progress < maxProgress) return;
      if (event.type === 'progress') maxProgress = event.progress;
      if (event.type === 'progress') stream.send(format(event));
      else stream.sendFinal(format(event));
    };
    deliver(isFinished(job) ? finalEvent(job) : currentProgress(job));
    for (const event of missed) deliver(event);
  });
}

function isFinished(job: Job): boolean {
  return job.status === 'completed' || job.status === 'failed';
}

function finalEvent(job: Job): JobEvent {
  return { type: job.status === 'completed' ? 'complete' : 'error', jobId: job.id, job };
}

function currentProgress(job: Job): JobEvent {
  return { type: 'progress', jobId: job.id, progress: job.progress, stage: job.stage ?? job.status, timestamp: new Date().toISOString() };
}

/** Formats each event once for all clients. */
function createEventFormatter(outputUri: OutputUri): (event: JobEvent) => string {
  const texts = new WeakMap<JobEvent, string>();
  return (event) => {
    const text = texts.get(event) ?? formatJobEvent(event, outputUri);
    texts.set(event, text);
    return text;
  };
}

function formatJobEvent(event: JobEvent, outputUri: OutputUri): string {
  if (event.type === 'progress') {
    const { progress, stage, timestamp } = event;
    return formatEvent('progress', { progress, stage, timestamp } satisfies ProgressEvent);
  }
  const { job } = event;
  if (event.type === 'error') return formatEvent('error', { code: job.failure?.code, message: job.failure?.message });
  return formatEvent('complete', {
    outputUri: job.outputName === null ? null : outputUri(job.outputName),
    creditsUsed: job.creditsUsed,
    durationSeconds: job.durationSeconds,
    // Of the file at outputUri.
    fileSizeBytes: job.outputs.find(({ file }) => file === job.outputName)?.sizeBytes ?? job.sizeBytes,
  } satisfies CompleteEvent);
}

function parseLastEventId(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,13}$/.test(header) ? Number(header) : 0;
}

const progressOperation: Operation = {
  id: 'followJob',
  tag: 'Jobs',
  summary: "Follow a job's progress",
  description:
    'Server-sent events: progress {progress, stage, timestamp}, then one complete {outputUri, creditsUsed, durationSeconds, fileSizeBytes} or error {code, message}, after which the stream ends.',
  key: 'header or query',
  parameters: {
    path: { job_id: jobIdParameter },
    header: { 'Last-Event-ID': { type: 'string', description: 'Id of the last received event, when reconnecting.' } },
  },
  responses: {
    200: {
      description: 'The events.',
      type: 'text/event-stream',
      schema: { type: 'string' },
      example: 'id: 1\nevent: progress\ndata: {"progress":0.5,"stage":"rendering_scene_1","timestamp":"2030-01-01T12:00:01.000Z"}\n\n',
    },
    204: { description: 'The client has seen the last event; it must not reconnect.', type: 'text/event-stream', schema: { type: 'string' } },
  },
  errors: ['NOT_FOUND'],
};
