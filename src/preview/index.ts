export type {
  DrawWish,
  FromPreview,
  Moments,
  PictureFormat,
  PreviewElement,
  PreviewError,
  PreviewFacts,
  PreviewPicture,
  PreviewWarning,
  ToPreview,
} from './preview-protocol.js';
export type { PreviewRequest, Previews, PreviewsParts } from './previews.js';
export { createPreviews } from './previews.js';
