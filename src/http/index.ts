export { createHttpServer, type HttpTiming } from './http-server.js';
export { createOperatorServer } from './routes/operators.js';
