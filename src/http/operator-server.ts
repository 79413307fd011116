import Fastify, { type FastifyInstance } from 'fastify';
import { type OperatorRouteParts, registerOperatorRoutes } from './routes/operators.js';

/** What operators ask of a process that takes no orders, not listening yet. */
export function createOperatorServer(parts: OperatorRouteParts): FastifyInstance {
  const instance = Fastify({ requestTimeout: 30_000, connectionTimeout: 30_000, bodyLimit: 1024, forceCloseConnections: true });
  registerOperatorRoutes(instance, parts);
  return instance;
}
