import type { CompletedWebhook, FailedWebhook } from '../contract/index.js';
import { FramewrightError } from './framewright-error.js';

/** Body of a webhook. */
export type WebhookEvent = CompletedWebhook | FailedWebhook;

/** Options of verifyWebhook(). */
export interface VerifyOptions {
  /** Maximum difference between the time of the webhook and now, in seconds. Default 300. */
  toleranceSeconds?: number;
  /** Current time (Unix ms); default: Date.now(). */
  now?: number;
}

type HeaderValues = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const defaultToleranceSeconds = 300;
/** Bounds the work per webhook; during a rotation of the secret there are two signatures. */
const maxSignatures = 10;

/**
 * Verifies the signature of a webhook (Standard Webhooks) and parses its body. Throws FramewrightError WEBHOOK_REFUSED.
 * `body` is the unmodified request body, and `secret` one or more secrets of `framewright webhooks secret`.
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
      // verify() compares in constant time.
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
  const versioned = header.split(' ').slice(0, maxSignatures);
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
