import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EngineProcessSettings, startEngineProcess } from '../../engine/index.js';
import type { EncoderSelection } from './encoder-selection.js';

/** Checks the configured hardware encoder with a temporary engine process in `settings.folder`; does nothing without such a setting. */
export async function checkRequiredEncoder(choice: EncoderSelection, settings: EngineProcessSettings): Promise<void> {
  if (!choice.requiresHardware) return;
  // The engine pool removes folders with this prefix if this process is killed.
  const folder = await mkdtemp(join(settings.folder, `engine-${process.pid}-`));
  const engine = startEngineProcess({ ...settings, folder });
  try {
    await choice.checkRequired(engine);
  } finally {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  }
}
