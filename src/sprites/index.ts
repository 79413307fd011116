export type { FontCatalogue, FontCatalogueOptions, FontFamily } from './fonts/index.js';
export { createFontCatalogue } from './fonts/index.js';
export type { MotionKeyframe, MotionSetting, PieceMotion } from './text/motion.js';
export { textStyleMotion } from './text/motion.js';
export type { DrawTextOptions, TextPiece, TextSpriteDrawer, TextSprites } from './text/text-sprites.js';
export { createTextSprites } from './text/text-sprites.js';
