import { fileURLToPath } from 'node:url';
import { ProgramError, runProgram } from '../../../engine/child-processes/index.js';
import type { EngineCall, EngineVoice, SynthesizedLine } from './offline-engine.js';
import { engineEnvironment, timeoutMsFor } from './offline-engine.js';
import { parseUtterances } from './utterances.js';

/** The program native/speech, built by the set-up. */
const program = fileURLToPath(new URL('../../../../build/Release/framewright-speech', import.meta.url));
/** Ten minutes at 22 kHz. */
const MAX_SOUND_BYTES = 40_000_000;
/** Exit code of the program for a missing voice. */
const NO_VOICE = 3;

export class VoiceNotFoundError extends Error {}

export async function runSpeechProgram(
  engine: 'espeak-ng' | 'flite',
  voice: EngineVoice,
  lines: readonly string[],
  environment: Readonly<Record<string, string>>,
  call: EngineCall,
): Promise<SynthesizedLine[]> {
  const { code, stdout, stderr } = await runProgram(program, {
    args: [engine, voice.name, voice.speed.toFixed(3)],
    stdin: lines.map((line) => `${line}\n`).join(''),
    ...call,
    environment: { ...environment, ...engineEnvironment },
    timeoutMs: timeoutMsFor(lines),
    maxOutputBytes: MAX_SOUND_BYTES,
  });
  if (code === NO_VOICE) throw new VoiceNotFoundError(stderr);
  const spoken = code === 0 ? parseUtterances(stdout) : [];
  if (spoken.length !== lines.length) throw new ProgramError(`${engine} failed: ${stderr.slice(-300)}`);
  return spoken;
}
