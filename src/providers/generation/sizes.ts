import type { GenerationRequest } from './request.js';

type Sizes = Readonly<Record<GenerationRequest['aspectRatio'], string>>;

/** Default size by aspect ratio and model; scripts override it with `model-settings.size`. */
const imageSizes: Sizes = { horizontal: '1536x1024', vertical: '1024x1536', squared: '1024x1024' };
const videoSizes: Sizes = { horizontal: '1280x720', vertical: '720x1280', squared: '720x720' };
const dallE3: Sizes = { horizontal: '1792x1024', vertical: '1024x1792', squared: '1024x1024' };
const dallE2: Sizes = { horizontal: '1024x1024', vertical: '1024x1024', squared: '1024x1024' };

export function sizeOf(kind: GenerationRequest['kind'], model: string, aspectRatio: GenerationRequest['aspectRatio']): string {
  if (kind === 'video') return videoSizes[aspectRatio];
  if (model === 'dall-e-3') return dallE3[aspectRatio];
  return (model === 'dall-e-2' ? dallE2 : imageSizes)[aspectRatio];
}
