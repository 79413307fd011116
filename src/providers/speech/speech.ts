/** A request to synthesize a text, with the options of the script. */
export interface SpeechRequest {
  text: string;
  /** The provider's voice name, such as `en-US-EmmaMultilingualNeural`. */
  voice?: string;
  model?: string;
  /** BCP 47; absent: derived from the voice's name or the text. */
  language?: string;
  /** Speed factor, 0.25 to 4; default 1. */
  speed?: number;
  /** Options for the provider, such as `language_code` and `voice_settings`. */
  modelSettings?: Readonly<Record<string, unknown>>;
}

/** A word as written, including punctuation, with its time. */
export interface SpokenWord {
  text: string;
  /** Seconds from the start of the audio. */
  start: number;
  end: number;
  /** Whether it follows the previous word without a space (Chinese, Japanese, Thai). */
  joins?: true;
  /** Whether it is spoken louder than the others; present if that was measured. */
  loud?: true;
}

export interface Speech {
  /** A 16-bit WAV file in the caller's folder. */
  path: string;
  durationSeconds: number;
  words: SpokenWord[];
  /** Whether the word times are estimated from the audio, because the provider reports none. */
  isEstimated: boolean;
  /** The engine or service, such as `festival` or `azure`. */
  engine: string;
  /** Warnings for the client. */
  warnings: string[];
}

/** Mono samples, -1 to 1. */
export interface PcmAudio {
  sampleRate: number;
  samples: Float32Array;
}

/** A piece of text with its time as reported by the engine; not always a written word. */
export interface TimedText {
  text: string;
  start: number;
  end: number;
}

/** A provider's output before trimming and leveling. */
export interface RawSpeech {
  audio: PcmAudio;
  words: SpokenWord[];
  isEstimated: boolean;
  warnings: string[];
}

/** A resolved request; with the text it determines the audio. */
export interface ProviderRequest extends SpeechRequest {
  model: string;
  /** Resolved from the script, the voice or the text. */
  language: string;
  speed: number;
}

export interface VoiceProvider {
  /** Part of the cache key, and the value of `Speech.engine`. */
  readonly name: string;
  /** Part of the cache key: changes when the same request may sound different. */
  readonly version: string;
  /** `folder` exists, is used by this call only and is deleted by the caller. */
  synthesize(request: ProviderRequest, call: { folder: string; signal: AbortSignal }): Promise<RawSpeech>;
}
