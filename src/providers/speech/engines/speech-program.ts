import { fileURLToPath } from 'node:url';
import { ProgramFailure, runProgram } from '../../../engine/child-processes/index.js';
import type { EngineCall, EngineVoice, SpokenLine } from './engine.js';
import { engineEnvironment, timeoutFor } from './engine.js';
import { parseUtterances } from './utterances.js';

/** native/speech, as the set-up builds it. */
const program = fileURLToPath(new URL('../../../../build/Release/framewright-speech', import.meta.url));
/** Ten minutes at 22 kHz. */
const MAX_SOUND_BYTES = 40_000_000;
/** Its exit code for a voice that is not here. */
const NO_VOICE = 3;

export class NoSuchVoice extends Error {}

export async function speakLines(
  engine: 'espeak-ng' | 'flite',
  voice: EngineVoice,
  lines: readonly string[],
  environment: Readonly<Record<string, string>>,
  call: EngineCall,
): Promise<SpokenLine[]> {
  const { code, output, complaint } = await runProgram(program, {
    args: [engine, voice.name, voice.speed.toFixed(3)],
    input: lines.map((line) => `${line}\n`).join(''),
    ...call,
    environment: { ...environment, ...engineEnvironment },
    timeoutMs: timeoutFor(lines),
    maxOutputBytes: MAX_SOUND_BYTES,
  });
  if (code === NO_VOICE) throw new NoSuchVoice(complaint);
  const spoken = code === 0 ? parseUtterances(output) : [];
  if (spoken.length !== lines.length) throw new ProgramFailure(`${engine} failed: ${complaint.slice(-300)}`);
  return spoken;
}
