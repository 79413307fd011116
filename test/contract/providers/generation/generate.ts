import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { loadConfig } from '../../../../src/config/index.js';
import { createGenerator, type GeneratedFile, type GenerationRequest, type Generator } from '../../../../src/providers/generation/index.js';

export interface Making {
  folder: string;
  generator: Generator;
  make(request: Partial<GenerationRequest>, call?: { signal?: AbortSignal; isFresh?: boolean }): Promise<GeneratedFile>;
}

const folders: string[] = [];
// Registered when the file is loaded: Vitest ignores hooks that a running test registers.
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Creates a generator from environment variables, with a temporary folder. Private hosts are forbidden except those in `allowPrivateHosts`. */
export function startMaking(environment: Record<string, string>, allowPrivateHosts: string[] = []): Making {
  const folder = mkdtempSync(join(tmpdir(), 'framewright-generation-'));
  folders.push(folder);
  const config = loadConfig({ FRAMEWRIGHT_DATA_DIR: folder, ...environment });
  const generator = createGenerator(config.generation, { allowPrivateHosts });
  const make: Making['make'] = (request, { signal = new AbortController().signal, isFresh = false } = {}) =>
    generator.generate({ kind: 'image', prompt: 'a cat', aspectRatio: 'horizontal', ...request }, { folder, signal, skipCache: isFresh });
  return { folder, generator, make };
}
