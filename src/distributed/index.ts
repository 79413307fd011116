export { listRenderHosts, openRenderFarm } from './open-render-farm.js';
export type { RenderHost } from './queue/host-registry.js';
