import { FramewrightError } from './framewright-error.js';

/** The body of a webhook. */
export type WebhookEvent =
  | { job_id: string; status: 'completed'; output_url: string; duration_seconds: number; credits_used: number }
  | { job_id: string; status: 'failed'; error: { code: string; message: string } };

export interface VerifyOptions {
  /** How far the webhook's time may be from now, in seconds, before and after. Default 300. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970; default: now. */
  now?: number;
}

type HeaderValues = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const defaultToleranceSeconds = 300;
/** While a secret is replaced there are two; more make work for nothing. */
const mostSignatures = 10;

/**
 * The event of a webhook that the service has signed (Standard Webhooks), or FramewrightError WEBHOOK_REFUSED.
 * `body` is the request's body as it came, not parsed and written again; `secret` what `framewright webhooks secret` printed,
 * or several of them.
 */
export async function verifyWebhook(
  headers: HeaderValues,
  body: string | Uint8Array,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = readSignatures(headerOf(headers, 'webhook-signature'));
  checkTime(timestamp, options);
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const each of [secret].flat()) {
    const key = await importSecret(each);
    for (const signature of signatures) {
      // Compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return JSON.parse(text) as WebhookEvent;
    }
  }
  throw refusal('none of its signatures was made with the secret');
}

function headerOf(headers: HeaderValues, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = typeof value === 'string' ? value : value?.[0];
  if (text === undefined || text === '') throw refusal(`it has no header ${name}`);
  return text;
}

function readSignatures(header: string): Array<Uint8Array<ArrayBuffer>> {
  const versioned = header.split(' ').slice(0, mostSignatures);
  return versioned.flatMap((text) => (text.startsWith('v1,') ? [fromBase64(text.slice(3))] : [])).filter((bytes) => bytes !== undefined);
}

function checkTime(timestamp: string, { toleranceSeconds = defaultToleranceSeconds, now = Date.now() }: VerifyOptions): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw refusal('webhook-timestamp is not a time');
  const ageSeconds = now / 1000 - Number(timestamp);
  if (ageSeconds > toleranceSeconds) throw refusal(`it was sent ${Math.round(ageSeconds)} s ago, which is more than ${toleranceSeconds} s`);
  if (ageSeconds < -toleranceSeconds) throw refusal(`it was sent ${Math.round(-ageSeconds)} s in the future: compare the clocks`);
}

function importSecret(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (bytes === undefined || bytes.length === 0) throw new TypeError('The secret must be one that `framewright webhooks secret` printed: whsec_ and base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function refusal(why: string): FramewrightError {
  return new FramewrightError('WEBHOOK_REFUSED', `The webhook is refused: ${why}.`);
}
