export type { HtmlLimits, HtmlSprites, HtmlSpritesOptions } from './html-sprites.js';
export { createHtmlSprites } from './html-sprites.js';
export { isSandboxed } from './launch-options.js';
export type { HtmlPage, HtmlPicture, HtmlTiming } from './page.js';
