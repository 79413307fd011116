import { redactUrl } from '../../../outbound/index.js';
import type { DeliveryContext, ExportFile } from '../delivery.js';
import { ExportFailure } from '../export-failure.js';
import type { WebhookTarget } from '../target.js';

/** Posts the video's URL and metadata to a webhook; returns the receiver's origin. */
export async function deliverWebhook(target: WebhookTarget, { file, options, idleMs, signal }: DeliveryContext): Promise<string> {
  const payload = createPayload(file);
  const isJson = target.form === 'json';
  const { status } = await options.outbound.send(target.endpoint, {
    method: 'POST',
    headers: { 'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded' },
    body: isJson ? JSON.stringify(payload) : urlencoded(payload),
    idleMs,
    signal,
  });
  if (status >= 200 && status < 300) return withoutPath(target.endpoint);
  const hint = status >= 300 && status < 400 ? ' (redirects are not followed)' : '';
  throw new ExportFailure(`answered ${status}${hint}`, status >= 500 || status === 408 || status === 429);
}

/** The body that JSON2Video documents: a flat object with numbers as strings. */
function createPayload({ job, sizeBytes, downloadUrl }: ExportFile): Record<string, unknown> {
  return {
    width: String(job.width),
    height: String(job.height),
    duration: String(job.durationSeconds),
    size: String(sizeBytes),
    url: downloadUrl,
    project: job.id,
    id: job.scriptId ?? job.id,
    'client-data': job.clientData ?? {},
  };
}

function urlencoded(fields: Record<string, unknown>): string {
  const pairs = Object.entries(fields).map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  return new URLSearchParams(pairs).toString();
}

/** Drops the path: its last segment is often a secret. */
function withoutPath(endpoint: string): string {
  return new URL(redactUrl(endpoint)).origin;
}
