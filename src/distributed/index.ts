export { createTaskStore, listRenderHosts, openRenderFarm } from './open-render-farm.js';
export type { RenderHost } from './queue/host-store.js';
