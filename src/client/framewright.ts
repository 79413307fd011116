import type {
  AcceptedJob,
  CreatedTemplate,
  Credits,
  DeletedTemplate,
  Job,
  JobList,
  ListedTemplate,
  Template,
  TemplateList,
  UpdatedTemplate,
} from '../contract/index.js';
import { type DownloadOptions, outputOf, readOutput, writeToFile } from './download.js';
import { type FollowOptions, followJob, getJob } from './follow-job.js';
import { FramewrightError } from './framewright-error.js';
import type { MovieScript } from './script.js';
import { type Fetch, Transport } from './transport.js';

export interface FramewrightOptions {
  apiKey: string;
  /** Where the service is. Default: http://127.0.0.1:8080 */
  baseUrl?: string;
  /** Attempts after the first one, for requests that may be repeated. Default 4. */
  retries?: number;
  /** Longest pause before another attempt, in ms; who is told to wait longer gets the error, with `retryAfter`. Default 65 000. */
  maxPauseMs?: number;
  /** How long an answer may stay away, in ms. Default 30 000. */
  timeoutMs?: number;
  /** Instead of the global fetch(). */
  fetch?: Fetch;
}

export interface SubmitOptions {
  /** Of a submission that is the same one when it is made again, within 24 hours. Default: one of its own for each call. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

export type RenderOptions = SubmitOptions & FollowOptions;

export interface ListOptions {
  page?: number;
  /** 1 to 100. */
  limit?: number;
  status?: Job['status'];
  signal?: AbortSignal;
}

export interface TemplateFields {
  name: string;
  script: MovieScript;
  is_public?: boolean;
}

interface Signalled {
  signal?: AbortSignal;
}

const defaults = { baseUrl: 'http://127.0.0.1:8080', retries: 4, maxPauseMs: 65_000, timeoutMs: 30_000 };

/** A Framewright service, as an account sees it. */
export class Framewright {
  readonly jobs: Jobs;
  readonly templates: Templates;
  readonly #transport: Transport;

  constructor({ apiKey, baseUrl = defaults.baseUrl, ...settings }: FramewrightOptions) {
    if (typeof apiKey !== 'string' || apiKey === '') throw new TypeError('apiKey must be a key of the service: framewright keys create makes one.');
    if (!/^https?:\/\//.test(baseUrl)) throw new TypeError(`baseUrl must be an http or https address, not ${JSON.stringify(baseUrl)}.`);
    this.#transport = new Transport({
      ...defaults,
      // Browsers' fetch() must be called on its window.
      fetch: (url, request) => globalThis.fetch(url, request),
      ...settings,
      apiKey,
      baseUrl: baseUrl.replace(/\/+$/, ''),
    });
    this.jobs = new Jobs(this.#transport);
    this.templates = new Templates(this.#transport);
  }

  /** Renders a script: resolves with the completed job. A job that fails is thrown, as FramewrightError with its `job`. */
  async render(script: MovieScript, options: RenderOptions = {}): Promise<Job> {
    const { job_id } = await this.submit(script, options);
    return this.jobs.wait(job_id, options);
  }

  /** As render(), from a template with its placeholders filled. */
  async renderTemplate(templateId: string, variables: Record<string, unknown> = {}, options: RenderOptions = {}): Promise<Job> {
    const { job_id } = await this.submitTemplate(templateId, variables, options);
    return this.jobs.wait(job_id, options);
  }

  /** Queues a script and does not wait for it. */
  submit(script: MovieScript, options: SubmitOptions = {}): Promise<AcceptedJob> {
    return this.#submit('/api/render', script, options);
  }

  submitTemplate(templateId: string, variables: Record<string, unknown> = {}, options: SubmitOptions = {}): Promise<AcceptedJob> {
    return this.#submit('/api/render/template', { template_id: templateId, variables }, options);
  }

  #submit(path: string, body: unknown, { idempotencyKey = newKey(), signal }: SubmitOptions): Promise<AcceptedJob> {
    return this.#transport.call<AcceptedJob>({ method: 'POST', path, body, idempotencyKey, signal });
  }

  /** The film of a completed job, or of an `output_uri`: as a Blob, or into a file (Node) or a WritableStream. */
  download(output: Job | string, options?: DownloadOptions): Promise<Blob>;
  download(output: Job | string, options: DownloadOptions & { to: string | WritableStream<Uint8Array> }): Promise<undefined>;
  async download(output: Job | string, { to, ...options }: DownloadOptions & { to?: string | WritableStream<Uint8Array> } = {}): Promise<Blob | undefined> {
    const pieces = readOutput(this.#transport, outputOf(output), options);
    if (typeof to === 'string') await writeToFile(pieces, to);
    else if (to !== undefined) await writeToStream(pieces, to);
    else return toBlob(pieces);
    return undefined;
  }

  /** What the account has. */
  credits(options: Signalled = {}): Promise<Credits> {
    return this.#transport.call<Credits>({ method: 'GET', path: '/api/credits', ...options });
  }
}

class Jobs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get(jobId: string, { signal }: Signalled = {}): Promise<Job> {
    return getJob(this.#transport, jobId, signal);
  }

  /** A page of the account's jobs, the newest first. */
  list({ signal, ...query }: ListOptions = {}): Promise<JobList> {
    const asked = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(asked.map(([name, value]): [string, string] => [name, String(value)])).toString();
    return this.#transport.call<JobList>({ method: 'GET', path: `/api/jobs${search === '' ? '' : `?${search}`}`, signal });
  }

  /** Resolves with the job when it is completed; one that fails is thrown, as FramewrightError with its `job`. */
  async wait(jobId: string, options: FollowOptions = {}): Promise<Job> {
    const job = await followJob(this.#transport, jobId, options);
    if (job.status === 'completed') return job;
    const { code = 'RENDER_FAILED', message = 'The render failed.' } = job.error ?? {};
    throw new FramewrightError(code, message, { job });
  }
}

class Templates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(fields: TemplateFields, { signal }: Signalled = {}): Promise<CreatedTemplate> {
    return this.#transport.call<CreatedTemplate>({ method: 'POST', path: '/api/templates', body: fields, signal });
  }

  /** All of the account's, the newest first, without their scripts. */
  async list({ signal }: Signalled = {}): Promise<ListedTemplate[]> {
    return (await this.#transport.call<TemplateList>({ method: 'GET', path: '/api/templates', signal })).templates;
  }

  get(id: string, { signal }: Signalled = {}): Promise<Template> {
    return this.#transport.call<Template>({ method: 'GET', path: templatePath(id), signal });
  }

  /** Fields that are absent stay as they are. */
  update(id: string, changes: Partial<TemplateFields>, { signal }: Signalled = {}): Promise<UpdatedTemplate> {
    return this.#transport.call<UpdatedTemplate>({ method: 'PATCH', path: templatePath(id), body: changes, signal });
  }

  async delete(id: string, { signal }: Signalled = {}): Promise<void> {
    await this.#transport.call<DeletedTemplate>({ method: 'DELETE', path: templatePath(id), signal });
  }
}

function templatePath(id: string): string {
  return `/api/templates/${encodeURIComponent(id)}`;
}

/** crypto.randomUUID() is missing on pages that did not come over https. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function toBlob(pieces: AsyncIterable<Uint8Array>): Promise<Blob> {
  const parts: Array<Uint8Array<ArrayBuffer>> = [];
  for await (const piece of pieces) parts.push(piece as Uint8Array<ArrayBuffer>);
  return new Blob(parts, { type: 'video/mp4' });
}

async function writeToStream(pieces: AsyncIterable<Uint8Array>, stream: WritableStream<Uint8Array>): Promise<void> {
  const writer = stream.getWriter();
  try {
    for await (const piece of pieces) await writer.write(piece);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {});
    throw error;
  }
}
