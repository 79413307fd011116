import { loadConfig } from '../../../../src/config/index.js';
import { createGenerator, type GeneratedFile, type GenerationRequest, type Generator } from '../../../../src/providers/generation/index.js';
import { createTemporaryFolder } from '../../../support/temporary-folders.js';

export interface Making {
  folder: string;
  generator: Generator;
  make(request: Partial<GenerationRequest>, call?: { signal?: AbortSignal; isFresh?: boolean }): Promise<GeneratedFile>;
}

/** Creates a generator from environment variables, with a temporary folder. Private hosts are forbidden except those in `allowPrivateHosts`. */
export function startMaking(environment: Record<string, string>, allowPrivateHosts: string[] = []): Making {
  const folder = createTemporaryFolder('framewright-generation-');
  const config = loadConfig({ FRAMEWRIGHT_DATA_DIR: folder, ...environment });
  const generator = createGenerator(config.generation, { allowPrivateHosts });
  const make: Making['make'] = async (request, { signal = new AbortController().signal, isFresh = false } = {}) => {
    const prepared = await generator.prepare({ kind: 'image', prompt: 'a cat', aspectRatio: 'horizontal', ...request }, { folder, signal, skipCache: isFresh });
    return 'path' in prepared ? prepared : prepared.buy(async () => {});
  };
  return { folder, generator, make };
}
