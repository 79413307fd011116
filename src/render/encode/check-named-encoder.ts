import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EngineProcessSettings, startEngineProcess } from '../../engine/index.js';
import type { EncoderSelection } from './encoder-selection.js';

/** For a process that has no engine yet: one is started for the question alone, below `folder`, where the operator relies on hardware. */
export async function checkRequiredEncoder(choice: EncoderSelection, settings: EngineProcessSettings): Promise<void> {
  if (!choice.requiresHardware) return;
  // Named as those of engines that wait, so that it is found when this process is killed.
  const folder = await mkdtemp(join(settings.folder, `engine-${process.pid}-`));
  const engine = startEngineProcess({ ...settings, folder });
  try {
    await choice.checkRequired(engine);
  } finally {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  }
}
