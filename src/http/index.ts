export type { HttpServerParts } from './http-server.js';
export { createHttpServer, type HttpTiming } from './http-server.js';
export type { ExportsOf, OutputUri } from './job-view.js';
export { createOperatorServer } from './operator-server.js';
