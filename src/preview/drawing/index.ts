export { keepAssets } from './kept-assets.js';
export { KeptPages } from './kept-pages.js';
export { withoutMaking, withoutRecognition, withoutServices } from './stand-ins.js';
export { createViews, type Views } from './views.js';
export { type ViewLimits, viewLimits, Workspace } from './workspace.js';
