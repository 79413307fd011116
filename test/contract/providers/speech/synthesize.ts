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

/** A speaker as the operator's environment makes it, with folders of its own. */
export function startSpeaking(environment: Record<string, string> = {}): Speaking {
  const folder = mkdtempSync(join(tmpdir(), 'framewright-voice-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const config = loadConfig({ ...process.env, FRAMEWRIGHT_VOICE_CACHE_MB: '0', FRAMEWRIGHT_DATA_DIR: folder, ...environment });
  const speaker = createSpeechSynthesizer(config.voice, { allowPrivateHosts: [] });
  return { folder, speaker, speak: (request, signal = new AbortController().signal) => speaker.synthesize(request, { folder, signal }) };
}
