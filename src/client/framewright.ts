import type {
  AcceptedJob,
  CreatedTemplate,
  CreateTemplateRequest,
  Credits,
  DeletedTemplate,
  Job,
  JobList,
  ListedTemplate,
  Template,
  TemplateList,
  UpdatedTemplate,
} from '../contract/index.js';
import { type DownloadOptions, outputUriOf, readOutput, writeToFile } from './download.js';
import { type FollowOptions, followJob, getJob } from './follow-job.js';
import { FramewrightError } from './framewright-error.js';
import type { MovieScript } from './script.js';
import { type Fetch, Transport } from './transport.js';

/** Options of the client. */
export interface FramewrightOptions {
  apiKey: string;
  /** Base URL of the service. Default: http://127.0.0.1:8080 */
  baseUrl?: string;
  /** Maximum number of retries of requests that are safe to repeat. Default 4. */
  retries?: number;
  /** Maximum pause before a retry, in ms; a longer Retry-After throws the error with `retryAfter`. Default 65 000. */
  maxPauseMs?: number;
  /** Response timeout in ms. Default 30 000. */
  timeoutMs?: number;
  /** Replaces the global fetch(). */
  fetch?: Fetch;
}

/** Options of a submission. */
export interface SubmitOptions {
  /** Submissions with the same key within 24 hours create one job. Default: a random key per call. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Options of a render. */
export type RenderOptions = SubmitOptions & FollowOptions;

/** Options of a template's submission. */
export interface TemplateOptions {
  /** Files to deliver, in place of the outputs of the template's script. */
  outputs?: MovieScript['outputs'];
}

/** Filters and page of a job list. */
export interface ListOptions {
  page?: number;
  /** 1 to 100. */
  limit?: number;
  status?: Job['status'];
  signal?: AbortSignal;
}

/** Fields of a template that its owner sets. */
export interface TemplateFields extends Pick<CreateTemplateRequest, 'name' | 'is_public'> {
  script: MovieScript;
}

interface Signalled {
  signal?: AbortSignal;
}

const defaults = { baseUrl: 'http://127.0.0.1:8080', retries: 4, maxPauseMs: 65_000, timeoutMs: 30_000 };

/** A client for one account of a Framewright service. */
export class Framewright {
  readonly jobs: Jobs;
  readonly templates: Templates;
  readonly #transport: Transport;

  constructor({ apiKey, baseUrl = defaults.baseUrl, ...settings }: FramewrightOptions) {
    if (typeof apiKey !== 'string' || apiKey === '')
      throw new TypeError('apiKey must be an API key of the service; create one with `framewright keys create`.');
    if (!/^https?:\/\//.test(baseUrl)) throw new TypeError(`baseUrl must be an http or https address, not ${JSON.stringify(baseUrl)}.`);
    this.#transport = new Transport({
      ...defaults,
      // fetch() of browsers must be called on the global object.
      fetch: (url, request) => globalThis.fetch(url, request),
      ...settings,
      apiKey,
      baseUrl: baseUrl.replace(/\/+$/, ''),
    });
    this.jobs = new Jobs(this.#transport);
    this.templates = new Templates(this.#transport);
  }

  /** Renders a script and resolves with the completed job. Throws FramewrightError with `job` when the job fails. */
  async render(script: MovieScript, options: RenderOptions = {}): Promise<Job> {
    const { job_id } = await this.submit(script, options);
    return this.jobs.wait(job_id, options);
  }

  /** As render(), for a template whose placeholders `variables` fill. */
  async renderTemplate(templateId: string, variables: Record<string, unknown> = {}, options: RenderOptions & TemplateOptions = {}): Promise<Job> {
    const { job_id } = await this.submitTemplate(templateId, variables, options);
    return this.jobs.wait(job_id, options);
  }

  /** Queues a script without waiting for the render. */
  submit(script: MovieScript, options: SubmitOptions = {}): Promise<AcceptedJob> {
    return this.#submit('/api/render', script, options);
  }

  /** Queues a template without waiting for the render. */
  submitTemplate(templateId: string, variables: Record<string, unknown> = {}, options: SubmitOptions & TemplateOptions = {}): Promise<AcceptedJob> {
    const { outputs, ...rest } = options;
    return this.#submit('/api/render/template', { template_id: templateId, variables, ...(outputs !== undefined && { outputs }) }, rest);
  }

  #submit(path: string, body: unknown, { idempotencyKey = newKey(), signal }: SubmitOptions): Promise<AcceptedJob> {
    return this.#transport.call<AcceptedJob>({ method: 'POST', path, body, idempotencyKey, signal });
  }

  /** Downloads the video of a completed job or of an `output_uri`: as a Blob, or to a file (Node) or WritableStream. */
  download(output: Job | string, options?: DownloadOptions): Promise<Blob>;
  download(output: Job | string, options: DownloadOptions & { to: string | WritableStream<Uint8Array> }): Promise<undefined>;
  async download(output: Job | string, { to, ...options }: DownloadOptions & { to?: string | WritableStream<Uint8Array> } = {}): Promise<Blob | undefined> {
    const chunks = readOutput(this.#transport, outputUriOf(output), options);
    if (typeof to === 'string') await writeToFile(chunks, to);
    else if (to !== undefined) await writeToStream(chunks, to);
    else return toBlob(chunks, outputUriOf(output).endsWith('.mp4') ? 'video/mp4' : '');
    return undefined;
  }

  /** Balance and limits of the account. */
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

  /** One page of the account's jobs, newest first. */
  list({ signal, ...query }: ListOptions = {}): Promise<JobList> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
    return this.#transport.call<JobList>({ method: 'GET', path: `/api/jobs${search === '' ? '' : `?${search}`}`, signal });
  }

  /** Waits until a job is completed. Throws FramewrightError with `job` when it fails. */
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

  /** All templates of the account, newest first, without scripts. */
  async list({ signal }: Signalled = {}): Promise<ListedTemplate[]> {
    return (await this.#transport.call<TemplateList>({ method: 'GET', path: '/api/templates', signal })).templates;
  }

  get(id: string, { signal }: Signalled = {}): Promise<Template> {
    return this.#transport.call<Template>({ method: 'GET', path: templatePath(id), signal });
  }

  /** Absent fields keep their values. */
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

/** A random key; crypto.randomUUID() is missing on pages without https. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function toBlob(chunks: AsyncIterable<Uint8Array>, type: string): Promise<Blob> {
  const parts: Array<Uint8Array<ArrayBuffer>> = [];
  for await (const chunk of chunks) parts.push(chunk as Uint8Array<ArrayBuffer>);
  return new Blob(parts, { type });
}

async function writeToStream(chunks: AsyncIterable<Uint8Array>, stream: WritableStream<Uint8Array>): Promise<void> {
  const writer = stream.getWriter();
  try {
    for await (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {});
    throw error;
  }
}
