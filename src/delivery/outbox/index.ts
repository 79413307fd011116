export type { DeliveryFilter, DeliveryRecord, ExportState, WebhookRecord } from './delivery-record-store.js';
export { DeliveryRecordStore } from './delivery-record-store.js';
export { DeliveryRunner } from './delivery-runner.js';
export type { Claim, ClaimPolicy } from './delivery-store.js';
export { DeliveryStore } from './delivery-store.js';
export type { ExportSenderOptions } from './export-sender.js';
export { ExportSender } from './export-sender.js';
export type { WebhookSenderOptions } from './webhook-sender.js';
export { WebhookSender } from './webhook-sender.js';
