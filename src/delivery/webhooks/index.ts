export type { AttemptOutcome } from './webhook-request.js';
export { sendWebhook, webhookBody, webhookId } from './webhook-request.js';
export { rotationMs, WebhookSecretStore } from './webhook-secret-store.js';
