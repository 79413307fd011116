import { type Signal, signal } from '@preact/signals';
import type { AcceptedJob, Credits, Job, JobList, ProgressEvent } from '../../contract/index.js';
import { ApiError, type Connection } from '../api/connection.js';
import { readEvents } from '../api/event-stream.js';
import { type Problem, toProblem } from './live-preview.js';

/** Maximum number of progress streams; browsers limit HTTP/1.1 connections to six per host. */
const maxFollowed = 2;
const reconnectMs = 2000;

/** Jobs of the account, newest first, and its balance. */
export class Renders {
  readonly jobs: Signal<Job[]> = signal([]);
  readonly credits: Signal<Credits | undefined> = signal(undefined);
  readonly isSubmitting = signal(false);
  readonly problem: Signal<Problem | undefined> = signal(undefined);
  /** Id of the job whose video is shown. */
  readonly watched: Signal<string | undefined> = signal(undefined);
  /** Text for screen readers. */
  readonly announcement = signal('');
  readonly #connection: Connection;
  readonly #followed = new Set<string>();
  #own: string | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async load(): Promise<void> {
    const [credits, list] = await Promise.all([this.#connection.json<Credits>('api/credits'), this.#connection.json<JobList>('api/jobs?limit=30')]);
    this.credits.value = credits;
    this.jobs.value = list.jobs;
    this.#followRunning();
  }

  async submit(movie: unknown): Promise<void> {
    this.isSubmitting.value = true;
    this.problem.value = undefined;
    try {
      const accepted = await this.#connection.json<AcceptedJob>('api/render', { method: 'POST', body: movie });
      this.#setCredits(accepted.credits_remaining);
      this.#own = accepted.job_id;
      const { job_id, estimated_credits } = accepted;
      const created_at = new Date().toISOString();
      this.jobs.value = [{ job_id, status: 'queued', progress: 0, estimated_credits, created_at, completed_at: null }, ...this.jobs.peek()];
      this.announcement.value = 'Render queued';
      void this.#follow(job_id);
    } catch (error) {
      this.problem.value = toProblem(error);
    } finally {
      this.isSubmitting.value = false;
    }
  }

  forget(): void {
    this.jobs.value = [];
    this.credits.value = undefined;
    this.watched.value = undefined;
  }

  #followRunning(): void {
    for (const job of this.jobs.peek()) {
      if (this.#followed.size >= maxFollowed) return;
      if (isRunning(job)) void this.#follow(job.job_id);
    }
  }

  async #follow(id: string): Promise<void> {
    if (this.#followed.has(id)) return;
    this.#followed.add(id);
    try {
      while (this.#isListed(id)) {
        const isOver = await this.#readStream(id).catch((error: unknown) => {
          if (error instanceof ApiError && error.status !== 0 && error.status !== 429) throw error;
          return false;
        });
        if (isOver) break;
        await new Promise((resolve) => setTimeout(resolve, reconnectMs));
      }
      if (this.#isListed(id)) await this.#finish(id);
    } catch {
      // The list stays as it is until it is loaded again.
    } finally {
      this.#followed.delete(id);
      this.#followRunning();
    }
  }

  #isListed(id: string): boolean {
    return this.jobs.peek().some((job) => job.job_id === id && isRunning(job));
  }

  /** Follows a progress stream. Returns true when the job has ended. */
  async #readStream(id: string): Promise<boolean> {
    const response = await this.#connection.open(`api/jobs/${encodeURIComponent(id)}/progress`);
    for await (const { name, fields } of readEvents(response)) {
      if (name === 'complete' || name === 'error') return true;
      if (name !== 'progress') continue;
      const { progress, stage } = fields as ProgressEvent;
      const status = stage === 'queued' ? 'queued' : 'processing';
      this.#patch(id, { progress, stage, status });
      if (id === this.#own) this.announcement.value = `Rendering, ${Math.floor(progress * 10) * 10} percent`;
    }
    return false;
  }

  async #finish(id: string): Promise<void> {
    const [job, credits] = await Promise.all([this.#connection.json<Job>(`api/jobs/${encodeURIComponent(id)}`), this.#connection.json<Credits>('api/credits')]);
    this.credits.value = credits;
    this.#patch(id, job);
    if (id !== this.#own) return;
    this.announcement.value = job.status === 'completed' ? 'Render complete, the video is ready' : `Render failed: ${job.error?.message ?? 'no reason given'}`;
    if (job.output_uri !== undefined) this.watched.value = id;
  }

  #patch(id: string, change: Partial<Job>): void {
    this.jobs.value = this.jobs.peek().map((job) => (job.job_id === id ? { ...job, ...change } : job));
  }

  #setCredits(left: number): void {
    const credits = this.credits.peek();
    if (credits !== undefined) this.credits.value = { ...credits, credits_remaining: left };
  }
}

/** True for a queued or processing job. */
export function isRunning({ status }: Job): boolean {
  return status === 'queued' || status === 'processing';
}

/** Path of the video relative to this page; `output_uri` may name another host. */
export function outputPath({ output_uri: uri }: Job): string | undefined {
  const name = uri?.split('/').pop();
  return name === undefined ? undefined : `outputs/${encodeURIComponent(name)}`;
}
