export { isSandboxed } from './chromium/command.js';
export type { HtmlLimits, HtmlSprites, HtmlSpritesOptions } from './html-sprites.js';
export { createHtmlSprites } from './html-sprites.js';
export type { HtmlPage, HtmlSprite, HtmlTiming } from './page.js';
