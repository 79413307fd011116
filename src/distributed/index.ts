export { Farm } from './farm.js';
export type { FarmHost } from './host-registry.js';
export { listFarmHosts, openFarm } from './open-farm.js';
