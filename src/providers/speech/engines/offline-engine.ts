import type { PcmAudio, TimedText } from '../speech.js';

/** One synthesized line. */
export interface SynthesizedLine {
  audio: PcmAudio;
  /** Undefined if the engine reports no times. */
  words: TimedText[] | undefined;
}

export interface EngineCall {
  /** Existing folder for this call only. */
  folder: string;
  signal: AbortSignal;
}

export interface EngineVoice {
  name: string;
  /** Speed factor, 0.25 to 4. */
  speed: number;
}

/** A local speech engine. */
export interface OfflineEngine {
  readonly name: string;
  /** The version that its program or library reports; undefined if it is unavailable. */
  findVersion(): Promise<string | undefined>;
  /** The voice for a language; undefined if the engine does not support it. */
  voiceFor(language: string, isMale: boolean): string | undefined;
  /** Returns one result per line; lines contain no control characters. */
  synthesize(lines: readonly string[], voice: EngineVoice, call: EngineCall): Promise<SynthesizedLine[]>;
}

/** Fixed locale, so that results do not depend on the machine. */
export const engineEnvironment: Readonly<Record<string, string>> = { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };

/** A generous timeout: local engines are at least ten times faster than real time. */
export function timeoutMsFor(lines: readonly string[]): number {
  return 30_000 + lines.reduce((sum, line) => sum + line.length, 0) * 100;
}
