import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors/index.js';
import type { Job, JobEvent, JobEvents, JobStore } from '../../jobs/index.js';
import { EventStream, eventText } from '../event-stream.js';
import type { OutputUri } from '../job-view.js';
import { OpenStreams } from '../open-streams.js';
import type { Operation } from '../openapi/operation.js';
import { jobId as jobIdSchema } from '../openapi/schemas.js';
import type { Metrics } from '../operations/index.js';
import { callerOf } from '../plugins/admission.js';

export interface JobProgressParts {
  jobs: JobStore;
  events: JobEvents;
  outputUri: OutputUri;
  metrics: Pick<Metrics, 'streamOpened' | 'streamClosed'>;
}

export function registerJobProgressRoute(instance: FastifyInstance, parts: JobProgressParts): void {
  const streams = new Set<EventStream>();
  const open = new OpenStreams();
  const textOf = createWording(parts.outputUri);
  instance.addHook('preClose', async () => {
    for (const stream of streams) stream.end();
  });

  const options = { config: { keyInQuery: true, operation: progressOperation }, exposeHeadRoute: false };
  instance.get<{ Params: { job_id: string } }>('/api/jobs/:job_id/progress', options, async (request, reply) => {
    const caller = callerOf(request);
    const { accountId } = caller;
    open.checkRoom(caller, reply);
    const jobId = request.params.job_id;
    // Listening starts before the job is read, so nothing is missed in between.
    let deliver: (event: JobEvent) => void = (event) => missed.push(event);
    const missed: JobEvent[] = [];
    const unsubscribe = parts.events.subscribe(jobId, (event) => deliver(event));
    const job = await parts.jobs.find(accountId, jobId).catch((error: unknown) => {
      unsubscribe();
      throw error;
    });
    if (job === undefined || request.raw.destroyed) {
      unsubscribe();
      throw new AppError('NOT_FOUND', { message: 'There is no such job.' });
    }
    try {
      // Others were opened while the job was read.
      open.checkRoom(caller, reply);
    } catch (error) {
      unsubscribe();
      throw error;
    }
    open.enter(caller);

    reply.hijack();
    const refresh = async (): Promise<void> => {
      const current = await parts.jobs.find(accountId, jobId);
      if (current !== undefined && isFinished(current)) deliver(finalEvent(current));
    };
    const stream = new EventStream(reply.raw, {
      headers: reply.getHeaders(),
      lastEventId: parseLastEventId(request.headers['last-event-id']),
      // A job may also be finished by another process, which this one does not hear of.
      onHeartbeat: () => void refresh().catch((error: unknown) => request.log.error({ err: error, job_id: jobId }, 'a job could not be read')),
      onClose: () => {
        unsubscribe();
        streams.delete(stream);
        open.leave(caller);
        parts.metrics.streamClosed();
      },
    });
    streams.add(stream);
    parts.metrics.streamOpened();
    let furthest = 0;
    deliver = (event) => {
      // Hosts that render parts of one movie are not heard in the order in which they speak; a movie that is begun anew is prepared again.
      if (event.type === 'progress' && event.stage !== 'preparing' && event.progress < furthest) return;
      if (event.type === 'progress') furthest = event.progress;
      sendEvent(stream, event, textOf);
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

/** Nothing follows `complete` or `error`: the stream ignores writes after its end. */
function sendEvent(stream: EventStream, event: JobEvent, textOf: (event: JobEvent) => string): void {
  stream.send(textOf(event));
  if (event.type !== 'progress') stream.end();
}

/** Makes the text of an event once for all its readers. */
function createWording(outputUri: OutputUri): (event: JobEvent) => string {
  const texts = new WeakMap<JobEvent, string>();
  return (event) => {
    const text = texts.get(event) ?? describeEvent(event, outputUri);
    texts.set(event, text);
    return text;
  };
}

function describeEvent(event: JobEvent, outputUri: OutputUri): string {
  if (event.type === 'progress') return eventText('progress', { progress: event.progress, stage: event.stage, timestamp: event.timestamp });
  const { job } = event;
  if (event.type === 'error') return eventText('error', { code: job.failure?.code, message: job.failure?.message });
  return eventText('complete', {
    outputUri: job.outputName === null ? null : outputUri(job.outputName),
    creditsUsed: job.creditsUsed,
    durationSeconds: job.durationSeconds,
    fileSizeBytes: job.sizeBytes,
  });
}

function parseLastEventId(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,12}$/.test(header) ? Number(header) : 0;
}

const progressOperation: Operation = {
  id: 'followJob',
  tag: 'Jobs',
  summary: "Follow a job's progress",
  description:
    'Server-sent events: progress {progress, stage, timestamp}, then one complete {outputUri, creditsUsed, durationSeconds, fileSizeBytes} or error {code, message}, after which the stream ends.',
  key: 'header or query',
  parameters: {
    path: { job_id: jobIdSchema },
    header: { 'Last-Event-ID': { type: 'string', description: 'Of the last event that was seen, when coming back.' } },
  },
  answers: {
    200: {
      description: 'The events.',
      type: 'text/event-stream',
      schema: { type: 'string' },
      example: 'id: 1\nevent: progress\ndata: {"progress":0.5,"stage":"rendering_scene_1","timestamp":"2030-01-01T12:00:01.000Z"}\n\n',
    },
  },
  errors: ['NOT_FOUND'],
};
