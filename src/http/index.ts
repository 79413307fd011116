export type { HttpServerParts } from './http-server.js';
export { createHttpServer } from './http-server.js';
export type { ExportsOf, OutputUri } from './job-view.js';
export { createOperatorServer } from './operator-server.js';
