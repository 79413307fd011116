import type { Socket } from 'node:net';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { AccountStore, RateLimiter, RequestLimiter, TemplateStore } from '../accounts/index.js';
import type { JobEvents, JobStore } from '../jobs/index.js';
import type { Storage } from '../storage/index.js';
import { bodyLimitBytes } from './error-body.js';
import type { ExportsOf, OutputUri } from './job-view.js';
import { collectOperations } from './openapi/openapi-document.js';
import { installAdmission } from './plugins/admission.js';
import { createFrameworkErrorHandler, installErrorMapper } from './plugins/error-mapper.js';
import { installJsonBody } from './plugins/json-body.js';
import { observeRequests } from './plugins/request-observer.js';
import { SocketResponder } from './plugins/socket-responder.js';
import { type ComponentsRouteParts, registerComponentsRoute } from './routes/components.js';
import { registerCreditsRoute } from './routes/credits.js';
import { registerJobProgressRoute } from './routes/job-progress.js';
import { registerJobRoutes } from './routes/jobs.js';
import { type OperatorRouteParts, registerOperatorRoutes } from './routes/operators.js';
import { registerOutputRoute } from './routes/outputs.js';
import { type PreviewRouteParts, registerPreviewRoutes } from './routes/preview.js';
import { registerReferenceRoutes } from './routes/reference.js';
import { registerRenderRoutes } from './routes/render.js';
import { registerStudioRoutes } from './routes/studio.js';
import { registerTemplateRoutes } from './routes/templates.js';
import type { OnSubmitted } from './submit-script.js';
import './request-context.js';

/** Services that the HTTP API needs. */
export interface HttpServerParts extends OperatorRouteParts, PreviewRouteParts, ComponentsRouteParts {
  accounts: AccountStore;
  /** Counts requests per client address, in this process. */
  limiter: RateLimiter;
  /** Counts requests per account, across hosts where they share a counter. */
  accountLimits: RequestLimiter;
  jobs: JobStore;
  templates: TemplateStore;
  events: JobEvents;
  storage: Storage;
  outputUri: OutputUri;
  /** Base URL for clients; known once the server listens. */
  publicUrl: () => string;
  exportsOf: ExportsOf;
  onSubmitted: OnSubmitted;
  log: FastifyBaseLogger;
  /** Addresses and networks of reverse proxies whose X-Forwarded-For names the client. */
  trustedProxies: readonly string[];
  timing?: Partial<HttpTiming>;
}

/** Timeouts for receiving requests. */
export interface HttpTiming {
  headersMs: number;
  /** For the whole request. */
  requestMs: number;
  /** Interval at which connections are checked for timeouts. */
  checkIntervalMs: number;
}

/** Creates the server of the HTTP API; not listening yet. */
export function createHttpServer(parts: HttpServerParts): FastifyInstance {
  const instance = createInstance(parts);
  const routes = collectOperations(instance);
  observeRequests(instance, parts.metrics);
  installAdmission(instance, parts);
  installJsonBody(instance);
  installErrorMapper(instance);

  registerRenderRoutes(instance, parts);
  registerJobRoutes(instance, parts);
  registerJobProgressRoute(instance, parts);
  registerOutputRoute(instance, parts);
  registerTemplateRoutes(instance, parts);
  registerPreviewRoutes(instance, parts);
  registerCreditsRoute(instance, parts);
  registerComponentsRoute(instance, parts);
  registerOperatorRoutes(instance, parts);
  registerReferenceRoutes(instance, { routes, publicUrl: parts.publicUrl });
  registerStudioRoutes(instance);
  return instance;
}

function rejectSchema(): never {
  throw new Error('a route has a Fastify schema; use createBodyCheck instead');
}

function createInstance(parts: HttpServerParts): FastifyInstance {
  const responder = new SocketResponder(parts.limiter);
  const { headersMs, requestMs, checkIntervalMs }: HttpTiming = { headersMs: 15_000, requestMs: 30_000, checkIntervalMs: 5000, ...parts.timing };
  const instance = Fastify({
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true }),
    // The router's default is shorter than names of outputs.
    routerOptions: { maxParamLength: 200 },
    bodyLimit: bodyLimitBytes,
    // Routes validate their bodies themselves; Fastify's default compilers would only slow down the start.
    schemaController: { compilersFactory: { buildValidator: rejectSchema, buildSerializer: rejectSchema } },
    trustProxy: parts.trustedProxies.length > 0 ? [...parts.trustedProxies] : false,
    requestTimeout: requestMs,
    // Closes idle connections, such as a download that the client does not read.
    connectionTimeout: 120_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkIntervalMs, requireHostHeader: false },
    frameworkErrors: createFrameworkErrorHandler(parts.limiter),
    clientErrorHandler: responder.onClientError,
  });
  responder.watch(instance.server);
  // Node's own responses to these have neither a body nor our headers.
  instance.server.on('checkExpectation', (request, response) => instance.server.emit('request', request, response));
  instance.server.on('dropRequest', (_request, socket: Socket) => socket.destroy());
  return instance;
}
