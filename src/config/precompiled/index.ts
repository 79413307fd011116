export { describeBuild, glanceAtBuild, loadBundle } from './bundle.js';
export { inAscii, loadScript, writeCodeCaches } from './script.js';
