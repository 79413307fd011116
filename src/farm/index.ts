export { Farm } from './farm.js';
export { openFarm } from './open-farm.js';
