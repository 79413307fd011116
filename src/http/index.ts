export type { HttpServerParts } from './http-server.js';
export { createHttpServer } from './http-server.js';
export type { OutputUri } from './job-view.js';
