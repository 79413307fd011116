import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { loadConfig } from '../../../../src/config/index.js';
import { createSpeechSynthesizer, type Speech, type SpeechRequest, type SpeechSynthesizer } from '../../../../src/providers/speech/index.js';

export interface Speaking {
  folder: string;
  speaker: SpeechSynthesizer;
  speak(request: SpeechRequest, signal?: AbortSignal): Promise<Speech>;
}

const folders: string[] = [];
// Registered when the file is loaded: Vitest ignores hooks that a running test registers.
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Creates a synthesizer from environment variables, with a temporary folder. */
export function startSpeaking(environment: Record<string, string> = {}): Speaking {
  const folder = mkdtempSync(join(tmpdir(), 'framewright-voice-'));
  folders.push(folder);
  const config = loadConfig({ ...process.env, FRAMEWRIGHT_VOICE_CACHE_MB: '0', FRAMEWRIGHT_DATA_DIR: folder, ...environment });
  const speaker = createSpeechSynthesizer(config.voice, { allowPrivateHosts: [] });
  return { folder, speaker, speak: (request, signal = new AbortController().signal) => speaker.synthesize(request, { folder, signal }) };
}
