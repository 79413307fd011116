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
  /** In the caller's folder; its content is unchecked. */
  path: string;
  /** Sentences for the client. */
  warnings: string[];
  /** Caches the file once the caller has found it to be good. */
  store(path: string): Promise<void>;
}

export interface GenerateCall {
  /** Existing folder that receives the file. */
  folder: string;
  signal: AbortSignal;
  /** Ignores cached results. */
  skipCache: boolean;
}

/** A file that a provider has to generate, which costs money. */
export interface GenerationOffer {
  /** Name of the provider. */
  provider: string;
  /** Hash of the request. */
  item: string;
  /** Requests the file; `onBought` is called as soon as the provider has delivered it. */
  buy(onBought: () => Promise<void>): Promise<GeneratedFile>;
}

export interface Generator {
  /** Why this host cannot serve the request; undefined when it can. */
  check(request: GenerationRequest): GenerationRefusal | undefined;
  /** Limit of distinct generated images and videos in one movie. */
  readonly maxPerMovie: number;
  /** Returns the cached result of an equal request, or else the offer of a provider. Failures are AppErrors whose text may be shown to clients. */
  prepare(request: GenerationRequest, call: GenerateCall): Promise<GeneratedFile | GenerationOffer>;
}

/** Part of the cache key: increment when the same response yields another file. */
const VERSION = 1;

/** Creates the generator; requests may reach the hosts that `outbound` allows and the configured services. */
export function createGenerator(config: GenerationConfig, outbound: OutboundSettings): Generator {
  const door = createOutbound({ ...outbound, allowPrivateHosts: [...outbound.allowPrivateHosts, ...config.hosts] });
  const cache = createFileCache({ folder: config.cacheDir, maxBytes: config.maxCacheBytes });
  const check = createGenerationPolicy(config);
  const providers: Partial<Record<GenerationRequest['kind'], GenerationProvider>> = {
    ...(config.image !== undefined && { image: createImageProvider(config.image, door) }),
    ...(config.video !== undefined && { video: createVideoProvider(config.video, door) }),
  };
  return {
    check,
    maxPerMovie: config.maxPerMovie,
    async prepare(request, { folder, signal, skipCache }) {
      signal.throwIfAborted();
      const [service, provider] = [config[request.kind], providers[request.kind]];
      const refused = check(request);
      if (refused !== undefined || service === undefined || provider === undefined) {
        throw new AppError('RENDER_FAILED', { message: refused?.reason ?? 'this host has no provider for it' });
      }
      const { resolved, warnings } = complete(request, service);
      const path = join(folder, `generated-${randomUUID()}`);
      const key = createHash('sha256')
        .update(JSON.stringify([VERSION, provider.version, resolved]))
        .digest('hex');
      const cached = skipCache ? undefined : await cache.get(key, path);
      if (cached !== undefined) return { path, warnings, store: async () => {} };
      return {
        provider: service.name,
        item: key,
        async buy(onBought) {
          await generateUncached(provider, resolved, path, signal);
          await onBought();
          return { path, warnings, store: async (checked) => void (await cache.put(key, checked)) };
        },
      };
    },
  };
}

async function generateUncached(provider: GenerationProvider, resolved: ProviderRequest, path: string, signal: AbortSignal): Promise<void> {
  try {
    await provider.generate(resolved, path, signal);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

function complete(request: GenerationRequest, service: GenerationServiceConfig): { resolved: ProviderRequest; warnings: string[] } {
  const { kind, prompt, aspectRatio } = request;
  const warnings: string[] = [];
  const isOffered = request.model === undefined || service.models.includes(request.model);
  const [first = ''] = service.models;
  const model = isOffered ? (request.model ?? first) : first;
  if (!isOffered) warnings.push(`the model "${request.model?.slice(0, 60)}" is not offered on this host, so "${model}" makes the ${kind}`);
  const { settings, dropped } = filterSettings(kind, request.modelSettings);
  for (const name of dropped) warnings.push(`the model setting "${name}" is not passed on to the provider`);
  const { size = sizeOf(kind, model, aspectRatio), ...others } = settings;
  const sorted = Object.fromEntries(Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { resolved: { prompt, model, size: String(size), settings: sorted }, warnings };
}
