export type { DeliveryFilter, DeliveryRecord, ExportState, UndeliveredCounts, WebhookRecord } from './delivery-record-store.js';
export { DeliveryRecordStore } from './delivery-record-store.js';
export type { Sender } from './delivery-runner.js';
export { DeliveryRunner } from './delivery-runner.js';
export type { Claim } from './delivery-store.js';
export { DeliveryStore } from './delivery-store.js';
export { ExportSender } from './export-sender.js';
export { WebhookSender } from './webhook-sender.js';
