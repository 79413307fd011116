export type {
  AcceptedJob,
  CreatedTemplate,
  Credits,
  ExportState,
  Job,
  JobList,
  ListedTemplate,
  Template,
  UpdatedTemplate,
} from '../contract/index.js';
export type { DownloadOptions } from './download.js';
export type { FollowOptions, JobProgress } from './follow-job.js';
export type { FramewrightOptions, ListOptions, RenderOptions, SubmitOptions, TemplateFields, TemplateOptions } from './framewright.js';
export { Framewright } from './framewright.js';
export type { ErrorCode } from './framewright-error.js';
export { FramewrightError } from './framewright-error.js';
export type { ElementScript, Expression, MovieScript, SceneScript } from './script.js';
export type { VerifyOptions, WebhookEvent } from './verify-webhook.js';
export { verifyWebhook } from './verify-webhook.js';
