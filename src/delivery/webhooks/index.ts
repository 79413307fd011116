export { createSecret, signedHeaders } from './signature.js';
export type { WebhookDispatcherOptions, WebhookTiming } from './webhook-dispatcher.js';
export { WebhookDispatcher } from './webhook-dispatcher.js';
export { rotationMs, WebhookSecretStore } from './webhook-secret-store.js';
export type { AttemptOutcome, DueWebhook, WebhookRecord } from './webhook-store.js';
export { WebhookStore } from './webhook-store.js';
