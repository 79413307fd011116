export { describeBuild, loadBundle } from './bundle.js';
export { loadScript, writeCodeCaches } from './script.js';
