import { setTimeout as sleep } from 'node:timers/promises';
import type { GenerationServiceConfig } from '../../../config/index.js';
import type { Outbound, OutboundResponse } from '../../../outbound/index.js';
import type { GenerationProvider, ProviderRequest } from '../request.js';
import { fetchFile } from './fetch-file.js';
import { errorForStatus, messageOf, parseJson, redacted, retryTransient, ServiceError, toAppError } from './service-error.js';

/** A few seconds of video take minutes. */
const TIMEOUT_MS = 1_200_000;
const MAX_BYTES = 512 * 1_048_576;
const IDLE_MS = 60_000;
const FIRST_POLL_MS = 500;
const SLOWEST_POLL_MS = 10_000;

const finished: ReadonlySet<unknown> = new Set(['completed', 'succeeded', 'success', 'done']);
const failed: ReadonlySet<unknown> = new Set(['failed', 'error', 'cancelled', 'canceled', 'expired', 'rejected']);

interface Task {
  id: string;
  status: unknown;
  answer: unknown;
}

/** Provider for OpenAI's /videos and compatible services: submits a task, polls it and downloads the video. */
export function createVideoProvider(service: GenerationServiceConfig, outbound: Outbound): GenerationProvider {
  return {
    version: `video ${service.url}`,
    async generate(request, path, signal) {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const client = new VideoClient(service, outbound, limited);
      try {
        const { id } = await client.waitUntilDone(await retryTransient(limited, () => client.submit(request)));
        const url = `${service.url}/videos/${encodeURIComponent(id)}/content`;
        await fetchFile(url, path, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, service, signal: limited }, outbound);
      } catch (error) {
        signal.throwIfAborted();
        throw toAppError('video', service, limited.aborted ? new ServiceError(`has made nothing in ${TIMEOUT_MS / 60_000} minutes`) : error);
      }
    },
  };
}

class VideoClient {
  readonly #service: GenerationServiceConfig;
  readonly #outbound: Outbound;
  readonly #signal: AbortSignal;

  constructor(service: GenerationServiceConfig, outbound: Outbound, signal: AbortSignal) {
    this.#service = service;
    this.#outbound = outbound;
    this.#signal = signal;
  }

  /** Submits a form, the interface's original encoding; repeats the request as JSON when the service refuses the form. */
  async submit(request: ProviderRequest): Promise<Task> {
    const { prompt, model, size, settings } = request;
    const fields = Object.entries({ ...settings, model, prompt, size }).map(([name, value]) => [name, String(value)] as const);
    const form = await encodeForm(fields);
    const answer = await this.#send('/videos', { contentType: form.contentType, body: form.body });
    const wantsJson = answer.status === 415 || answer.status === 422;
    return this.#taskOf(
      wantsJson ? await this.#send('/videos', { contentType: 'application/json', body: JSON.stringify(Object.fromEntries(fields)) }) : answer,
    );
  }

  async waitUntilDone(submitted: Task): Promise<Task> {
    let task = submitted;
    for (let pauseMs = FIRST_POLL_MS; !finished.has(task.status); pauseMs = Math.min(pauseMs * 1.5, SLOWEST_POLL_MS)) {
      if (failed.has(task.status)) throw new ServiceError(`could not make the video${this.#why(task)}`);
      await sleep(pauseMs, undefined, { signal: this.#signal });
      task = await retryTransient(this.#signal, async () => this.#taskOf(await this.#send(`/videos/${encodeURIComponent(submitted.id)}`), submitted.id));
    }
    return task;
  }

  #why({ answer }: Task): string {
    const { error } = answer as { error?: unknown };
    const reason = redacted(messageOf(error), this.#service.key);
    return reason === '' ? '' : `: ${reason}`;
  }

  #taskOf(answer: OutboundResponse, known?: string): Task {
    if (answer.status < 200 || answer.status > 299) throw errorForStatus(answer, this.#service);
    const body = parseJson(answer.text);
    const { id = known, status } = (typeof body === 'object' && body !== null ? body : {}) as { id?: unknown; status?: unknown };
    if (typeof id !== 'string' || !/^[\w.:=-]{1,500}$/.test(id)) throw new ServiceError('answered without the id of a video');
    return { id, status, answer: body };
  }

  #send(path: string, content?: { contentType: string; body: string | Buffer }): Promise<OutboundResponse> {
    const { url, key } = this.#service;
    return this.#outbound.send(`${url}${path}`, {
      method: content === undefined ? 'GET' : 'POST',
      headers: {
        ...(content === undefined ? {} : { 'content-type': content.contentType }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      ...(content === undefined ? {} : { body: content.body }),
      idleMs: IDLE_MS,
      maxResponseBytes: 1_000_000,
      signal: this.#signal,
    });
  }
}

async function encodeForm(fields: ReadonlyArray<readonly [string, string]>): Promise<{ contentType: string; body: Buffer }> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const encoded = new Response(form);
  return { contentType: encoded.headers.get('content-type') ?? '', body: Buffer.from(await encoded.arrayBuffer()) };
}
