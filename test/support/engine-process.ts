import { type EngineProcess, type EngineProcessSettings, startEngineProcess } from '../../src/engine/index.js';

/** An engine process with limits that no test reaches. */
export function startTestEngine(folder: string, changes: Partial<EngineProcessSettings> = {}): EngineProcess {
  return startEngineProcess({
    mode: 'auto',
    folder,
    readable: [],
    limits: { memoryMb: 4096, cpuSeconds: 3600, fileMb: 4096 },
    environment: { LANG: 'C.UTF-8' },
    ...changes,
  });
}
