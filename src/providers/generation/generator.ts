import { createHash, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GenerationConfig, GenerationServiceConfig } from '../../config/index.js';
import { AppError } from '../../errors/index.js';
import { createOutbound, type OutboundSettings } from '../../outbound/index.js';
import { createFileCache } from '../../storage/cache/index.js';
import { filterSettings } from './model-settings.js';
import { createGenerationPolicy, type GenerationRefusal } from './policy.js';
import type { GenerationProvider, GenerationRequest, ProviderRequest } from './request.js';
import { createImageProvider } from './services/images.js';
import { createVideoProvider } from './services/videos.js';
import { sizeOf } from './sizes.js';

export interface GeneratedFile {
  /** In the caller's folder; not yet looked into. */
  path: string;
  /** Sentences for the client. */
  warnings: string[];
  /** To be called with the file's place once it is known to be good: the next to ask for the same gets it. */
  keep(path: string): Promise<void>;
}

export interface GenerateCall {
  /** Exists. */
  folder: string;
  signal: AbortSignal;
  /** Not from what was made before. */
  skipCache: boolean;
}

export interface Generator {
  /** Why a request can not be met here. */
  check(request: GenerationRequest): GenerationRefusal | undefined;
  /** Different pictures and films that one movie may have made. */
  readonly maxPerMovie: number;
  /** Failures are AppErrors whose text may be shown to clients. */
  generate(request: GenerationRequest, call: GenerateCall): Promise<GeneratedFile>;
  /** What was made of an equal request before; no provider is asked. */
  findCached(request: GenerationRequest, call: GenerateCall): Promise<GeneratedFile | undefined>;
}

/** Changes when the same answer of a provider becomes another file. */
const VERSION = 1;

/** `outbound` are the rules for addresses; the operator's own services are allowed besides. */
export function createGenerator(config: GenerationConfig, outbound: OutboundSettings): Generator {
  const door = createOutbound({ ...outbound, allowPrivateHosts: [...outbound.allowPrivateHosts, ...config.hosts] });
  const cache = createFileCache({ folder: config.cacheDir, maxBytes: config.maxCacheBytes });
  const check = createGenerationPolicy(config);
  const providers: Partial<Record<GenerationRequest['kind'], GenerationProvider>> = {
    ...(config.image !== undefined && { image: createImageProvider(config.image, door) }),
    ...(config.video !== undefined && { video: createVideoProvider(config.video, door) }),
  };
  /** What is asked of whom, and under which key its answer is kept. */
  const prepare = (request: GenerationRequest, { folder, signal }: GenerateCall) => {
    signal.throwIfAborted();
    const [service, provider] = [config[request.kind], providers[request.kind]];
    const refused = check(request);
    if (refused !== undefined || service === undefined || provider === undefined) {
      throw new AppError('RENDER_FAILED', { message: refused?.reason ?? 'nothing here makes it' });
    }
    const { asked, warnings } = complete(request, service);
    const path = join(folder, `generated-${randomUUID()}`);
    const key = createHash('sha256')
      .update(JSON.stringify([VERSION, provider.version, asked]))
      .digest('hex');
    return { provider, asked, warnings, path, key };
  };
  return {
    check,
    maxPerMovie: config.maxPerMovie,
    async findCached(request, call) {
      const { warnings, path, key } = prepare(request, call);
      return (await cache.get(key, path)) === undefined ? undefined : { path, warnings, keep: async () => {} };
    },
    async generate(request, call) {
      const { signal, skipCache: isFresh } = call;
      const { provider, asked, warnings, path, key } = prepare(request, call);
      const kept = isFresh ? undefined : await cache.get(key, path);
      if (kept === undefined) await generateUncached(provider, asked, path, signal);
      const keep = async (good: string): Promise<void> => {
        if (kept === undefined) await cache.put(key, good);
      };
      return { path, warnings, keep };
    },
  };
}

async function generateUncached(provider: GenerationProvider, asked: ProviderRequest, path: string, signal: AbortSignal): Promise<void> {
  try {
    await provider.generate(asked, path, signal);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

function complete(request: GenerationRequest, service: GenerationServiceConfig): { asked: ProviderRequest; warnings: string[] } {
  const { kind, prompt, aspectRatio } = request;
  const warnings: string[] = [];
  const isOffered = request.model === undefined || service.models.includes(request.model);
  const [first = ''] = service.models;
  const model = isOffered ? (request.model ?? first) : first;
  if (!isOffered) warnings.push(`the model "${request.model?.slice(0, 60)}" is not offered on this host, so "${model}" makes the ${words[kind]}`);
  const { settings, dropped } = filterSettings(kind, request.modelSettings);
  for (const name of dropped) warnings.push(`the model setting "${name}" is not passed on to the provider`);
  const { size = sizeOf(kind, model, aspectRatio), ...others } = settings;
  const sorted = Object.fromEntries(Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { asked: { prompt, model, size: String(size), settings: sorted }, warnings };
}

const words = { image: 'picture', video: 'film' } as const;
