import type { PcmAudio, TimedText } from '../speech.js';

/** One line as an engine spoke it. */
export interface SynthesizedLine {
  audio: PcmAudio;
  /** Undefined where the engine tells no times. */
  words: TimedText[] | undefined;
}

export interface EngineCall {
  /** Exists, and is this call's own. */
  folder: string;
  signal: AbortSignal;
}

export interface EngineVoice {
  name: string;
  /** 0.25 to 4. */
  speed: number;
}

/** A speech engine of this machine. */
export interface OfflineEngine {
  readonly name: string;
  /** Its program's or library's own words about its version; undefined where it cannot be used here. */
  findVersion(): Promise<string | undefined>;
  /** The voice for a language, or undefined when it does not speak it. */
  voiceFor(language: string, isMale: boolean): string | undefined;
  /** One answer per line; lines are single and hold no control characters. */
  synthesize(lines: readonly string[], voice: EngineVoice, call: EngineCall): Promise<SynthesizedLine[]>;
}

/** Fixed, so that a machine's language changes nothing. */
export const engineEnvironment: Readonly<Record<string, string>> = { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };

/** Generous: engines of this machine speak ten times faster than a person at least. */
export function timeoutMsFor(lines: readonly string[]): number {
  return 30_000 + lines.reduce((sum, line) => sum + line.length, 0) * 100;
}
