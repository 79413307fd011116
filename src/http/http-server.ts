import type { Socket } from 'node:net';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { AccountStore, RateLimiter, RequestLimiter, TemplateStore } from '../accounts/index.js';
import type { ExportPolicy } from '../delivery/exports/index.js';
import type { JobEvents, JobStore } from '../jobs/index.js';
import type { CheckGeneration, CheckUrl, ComponentChecker } from '../script/index.js';
import type { Storage } from '../storage/index.js';
import { bodyLimitBytes } from './error-body.js';
import type { ExportsOf, OutputUri } from './job-view.js';
import { watchOperations } from './openapi/openapi-document.js';
import { installAdmission } from './plugins/admission.js';
import { createFrameworkErrorHandler, installErrorMapper } from './plugins/error-mapper.js';
import { installJsonBody } from './plugins/json-body.js';
import { watchPaths } from './plugins/known-paths.js';
import { installRequestLog } from './plugins/request-log.js';
import { installRequestMetrics } from './plugins/request-metrics.js';
import { SocketAnswers } from './plugins/socket-answers.js';
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

export interface HttpServerParts extends OperatorRouteParts, PreviewRouteParts, ComponentsRouteParts {
  accounts: AccountStore;
  /** Of addresses. */
  limiter: RateLimiter;
  /** Of accounts: those of all machines, where they can be had. */
  accountLimits: RequestLimiter;
  jobs: JobStore;
  templates: TemplateStore;
  events: JobEvents;
  storage: Storage;
  outputUri: OutputUri;
  /** How clients reach the service; known once it listens. */
  publicUrl: () => string;
  checkUrl: CheckUrl;
  /** The installed components. */
  components: ComponentChecker;
  checkGeneration: CheckGeneration;
  exportPolicy: ExportPolicy;
  exportsOf: ExportsOf;
  onSubmitted: OnSubmitted;
  log: FastifyBaseLogger;
  timing?: Partial<HttpTiming>;
}

/** How long callers may take for what they send. */
export interface HttpTiming {
  headersMs: number;
  requestMs: number;
  /** How often those that take longer are looked for. */
  lookMs: number;
}

/** The HTTP interface, not listening yet. */
export function createHttpServer(parts: HttpServerParts): FastifyInstance {
  const instance = createInstance(parts);
  const paths = watchPaths(instance);
  const routes = watchOperations(instance);
  installRequestLog(instance);
  installRequestMetrics(instance, parts.metrics);
  installAdmission(instance, parts);
  installJsonBody(instance);
  installErrorMapper(instance, paths);

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

function refuseSchemas(): never {
  throw new Error('a route has a schema for Fastify: use compileBodyCheck');
}

function createInstance(parts: HttpServerParts): FastifyInstance {
  const onSockets = new SocketAnswers(parts.limiter);
  const { headersMs, requestMs, lookMs }: HttpTiming = { headersMs: 15_000, requestMs: 30_000, lookMs: 5000, ...parts.timing };
  const instance = Fastify({
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true }),
    // Names of outputs are longer than the router's default.
    routerOptions: { maxParamLength: 200 },
    bodyLimit: bodyLimitBytes,
    // Routes check their bodies themselves; Fastify's own compilers would be loaded at every start for nothing.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    requestTimeout: requestMs,
    // A connection on which nothing moves, such as a download that nobody reads.
    connectionTimeout: 120_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: lookMs, requireHostHeader: false },
    frameworkErrors: createFrameworkErrorHandler(parts.limiter),
    clientErrorHandler: onSockets.onClientError,
  });
  onSockets.watch(instance.server);
  // Node would answer these two itself, without a body and without our headers.
  instance.server.on('checkExpectation', (request, response) => instance.server.emit('request', request, response));
  instance.server.on('dropRequest', (_request, socket: Socket) => socket.destroy());
  return instance;
}
