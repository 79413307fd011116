export type { CaptionLayer, CaptionLook, CaptionSprite, CaptionWord, DrawnCaption } from './caption.js';
export type { CaptionDrawer, CaptionRequest, CaptionSprites } from './draw-captions.js';
export { createCaptionDrawer } from './draw-captions.js';
