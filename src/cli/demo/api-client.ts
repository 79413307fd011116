import { createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/** Answer to a submitted movie. */
export interface Submitted {
  job_id: string;
  estimated_credits: number;
  credits_remaining: number;
}

/** Event at the end of a render. */
export interface Completed {
  outputUri: string;
  creditsUsed: number;
  durationSeconds: number;
  fileSizeBytes: number;
}

/** A minimal client of the REST API: submit, follow, download. */
export class ApiClient {
  readonly #baseUrl: string;
  readonly #key: string;

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  async submit(script: unknown): Promise<Submitted> {
    const response = await fetch(`${this.#baseUrl}/api/render`, {
      method: 'POST',
      headers: { 'x-api-key': this.#key, 'content-type': 'application/json' },
      body: JSON.stringify(script),
    });
    const body = (await response.json()) as Submitted & { error?: ErrorBody };
    if (response.status !== 202) {
      throw new Error(`The service rejected the movie (HTTP ${response.status}): ${describeError(body.error)}`);
    }
    return body;
  }

  /** Follows the progress stream until the render ends. Rejects if the render fails. */
  async follow(jobId: string, onProgress: (progress: number, stage: string) => void): Promise<Completed> {
    const response = await fetch(`${this.#baseUrl}/api/jobs/${jobId}/progress`, { headers: { 'x-api-key': this.#key, accept: 'text/event-stream' } });
    if (!response.ok || response.body === null) {
      throw new Error(`Opening the progress stream failed (HTTP ${response.status}).`);
    }
    for await (const { name, fields } of readEvents(response.body as ReadableStream<Uint8Array>)) {
      if (name === 'progress') onProgress(fields.progress as number, fields.stage as string);
      if (name === 'complete') return fields as unknown as Completed;
      if (name === 'error') throw new Error(`The render failed: ${describeError(fields as unknown as ErrorBody)}`);
    }
    throw new Error('The progress stream ended before the render.');
  }

  /** Downloads the video to a path and returns its size in bytes. */
  async download(uri: string, path: string): Promise<number> {
    const response = await fetch(uri, { headers: { 'x-api-key': this.#key } });
    if (!response.ok || response.body === null) {
      throw new Error(`Downloading ${uri} failed (HTTP ${response.status}).`);
    }
    await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(`${path}.part`));
    await rename(`${path}.part`, path);
    return (await stat(path)).size;
  }
}

interface ErrorBody {
  code?: string;
  message?: string;
  path?: string;
}

function describeError(error: ErrorBody | undefined): string {
  if (error === undefined) return 'no reason given';
  const location = error.path === undefined || error.path === '' ? '' : ` at ${error.path}`;
  return `${error.code}${location}: ${error.message}`;
}

interface StreamEvent {
  name: string;
  fields: Record<string, unknown>;
}

/** Parses server-sent events: blocks of `field: value` lines, each followed by an empty line. */
async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  let text = '';
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      const fieldOf = (field: string): string | undefined =>
        lines
          .find((line) => line.startsWith(`${field}:`))
          ?.slice(field.length + 1)
          .trim();
      const body = fieldOf('data');
      if (body !== undefined) yield { name: fieldOf('event') ?? 'message', fields: JSON.parse(body) as Record<string, unknown> };
    }
  }
}
