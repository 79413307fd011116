import { type Job, viewOutput } from '../../jobs/index.js';
import { failureText, type Outbound } from '../../outbound/index.js';
import { signedHeaders } from './signature.js';

/** The result of one attempt. */
export interface AttemptOutcome {
  httpStatus: number | null;
  /** Null when the receiver accepted the webhook. */
  error: string | null;
}

/** The documented request body. Finished jobs do not change, so it is the same in each attempt. */
export function webhookBody(job: Job, outputUri: (outputName: string) => string): string {
  if (job.failure !== null) return JSON.stringify({ job_id: job.id, status: job.status, error: { code: job.failure.code, message: job.failure.message } });
  return JSON.stringify({
    job_id: job.id,
    status: job.status,
    ...(job.outputName !== null && { output_url: outputUri(job.outputName) }),
    ...(job.outputs.length > 0 && { outputs: job.outputs.map((output) => viewOutput(output, outputUri)) }),
    duration_seconds: job.durationSeconds,
    credits_used: job.creditsUsed,
  });
}

/** Id by which receivers detect duplicates: a job has a single event, its end. */
export function webhookId(jobId: string): string {
  return `msg_${jobId}`;
}

/** One webhook request. */
export interface WebhookMessage {
  id: string;
  url: string;
  body: string;
  /** Signature time (Unix ms). */
  at: number;
  secrets: readonly string[];
  timeoutMs: number;
}

/** Sends a webhook once. Rejects only when `signal` is aborted. */
export async function sendWebhook(message: WebhookMessage, outbound: Pick<Outbound, 'send' | 'checkUrl'>, signal: AbortSignal): Promise<AttemptOutcome> {
  const refusal = outbound.checkUrl(message.url);
  if (refusal !== undefined) return { httpStatus: null, error: `was not called: ${refusal}` };
  const timeout = AbortSignal.timeout(message.timeoutMs);
  try {
    const { status, text } = await outbound.send(message.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signedHeaders(message, message.secrets) },
      body: message.body,
      // Longer than the overall timeout, whose error message states the duration.
      idleMs: message.timeoutMs + 1000,
      signal: AbortSignal.any([timeout, signal]),
      ignoreBodyErrors: true,
      newConnection: true,
    });
    return { httpStatus: status, error: status >= 200 && status < 300 ? null : describeResponse(status, text) };
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return { httpStatus: null, error: `did not answer within ${message.timeoutMs / 1000} seconds` };
    return { httpStatus: null, error: failureText(error) ?? 'could not be reached' };
  }
}

function describeResponse(status: number, text: string): string {
  const hint = status >= 300 && status < 400 ? ' (redirects are not followed)' : '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  const line = text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return `answered ${status}${hint}${line === '' ? '' : `: ${line.slice(0, 160)}`}`;
}
