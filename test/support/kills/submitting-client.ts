import { randomUUID } from 'node:crypto';
import { pause } from '../receiver.js';

/** A client that submits one job after the other. It repeats an idempotency key, on any host, until the job is accepted. */
export class SubmittingClient {
  /** Ids of the accepted jobs by idempotency key; empty if the connection broke within the response. */
  readonly accepted = new Map<string, string>();
  /** Responses 503: the database did not answer within 2 s. */
  unavailableCount = 0;
  readonly #apiKey: string;
  /** Submitted in turns: a movie of one file, and one of three. */
  readonly #scripts: readonly string[];
  #idempotencyKey = randomUUID();

  constructor(apiKey: string, webhookUri: string) {
    this.#apiKey = apiKey;
    const movie = { width: 64, height: 36, webhook_uri: webhookUri, scenes: [{ duration: 0.2, 'background-color': '#336699' }] };
    const outputs = [
      { name: 'video', format: 'mp4' },
      { name: 'cover', format: 'jpeg', time: 0 },
      { name: 'still', format: 'png', time: 0.1 },
    ];
    this.#scripts = [movie, { ...movie, outputs }].map((script) => JSON.stringify(script));
  }

  /** Submits to a random host until the signal; addresses may change meanwhile. Rejects when a host refuses the movie. */
  async submitUntil(signal: AbortSignal, addresses: () => readonly string[]): Promise<void> {
    while (!signal.aborted) {
      const urls = addresses();
      const answer = await this.#submit(urls[Math.floor(Math.random() * urls.length)] ?? '').catch(() => undefined);
      if (answer === undefined) {
        // The host is down.
        await pause(20);
      } else if (answer.status === 202) {
        this.accepted.set(this.#idempotencyKey, ((await answer.json().catch(() => ({}))) as { job_id?: string }).job_id ?? '');
        this.#idempotencyKey = randomUUID();
      } else if (answer.status === 429) {
        await pause(10);
      } else if (answer.status === 503 && answer.headers.get('retry-after') !== null) {
        this.unavailableCount += 1;
        await pause(100);
      } else {
        throw new Error(`${answer.status}: ${await answer.text()}`);
      }
    }
  }

  #submit(url: string): Promise<Response> {
    const headers = { 'x-api-key': this.#apiKey, 'content-type': 'application/json', 'idempotency-key': this.#idempotencyKey };
    return fetch(`${url}/api/render`, { method: 'POST', headers, body: this.#scripts[this.accepted.size % 2] ?? '' });
  }
}

/**
 * Waits a random time until the next kill, and until more jobs have been accepted than services killed: on a busy machine a render takes
 * longer than the time between two kills, and the queue of the account stays full.
 */
export async function untilNextKill(clients: readonly SubmittingClient[], killedServices: number): Promise<void> {
  await pause(50 + Math.random() * 700);
  while (clients.reduce((sum, { accepted }) => sum + accepted.size, 0) <= killedServices + 1) await pause(20);
}
