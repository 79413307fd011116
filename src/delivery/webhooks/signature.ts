import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** Creates a 256-bit signing secret in the format of Standard Webhooks. */
export function createSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** Headers of Standard Webhooks, with one signature per secret. `at` is in Unix ms. */
export function signedHeaders(message: { id: string; body: string; at: number }, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(message.at / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${message.id}.${timestamp}.${message.body}`).digest('base64')}`;
  });
  return { 'webhook-id': message.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
