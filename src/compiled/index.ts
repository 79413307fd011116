export { describeBuild, loadBundle } from './bundle.js';
export { inAscii, loadScript, writeCodeCaches } from './script.js';
