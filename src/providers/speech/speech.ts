/** What is to be said, as a script says it. */
export interface SpeechRequest {
  text: string;
  /** As the model's provider names it, such as `en-US-EmmaMultilingualNeural`. */
  voice?: string;
  model?: string;
  /** BCP 47; absent: from the voice's name or from the text. */
  language?: string;
  /** 0.25 to 4; default 1. */
  speed?: number;
  /** Goes to the provider: `language_code`, `voice_settings` and the like. */
  modelSettings?: Readonly<Record<string, unknown>>;
}

/** A word as it was written, punctuation included, and when it is heard. */
export interface SpokenWord {
  text: string;
  /** Seconds from the start of the sound. */
  start: number;
  end: number;
  /** It follows the word before it without a space (Chinese, Japanese, Thai). */
  joins?: true;
}

export interface Speech {
  /** A WAV file, 16 bit, in the caller's folder. */
  path: string;
  durationSeconds: number;
  words: SpokenWord[];
  /** The provider tells no times: the words' are worked out from the sound and their lengths. */
  isEstimated: boolean;
  /** What spoke, such as `festival` or `azure`. */
  engine: string;
  /** Sentences for the client. */
  warnings: string[];
}

/** One channel, -1 to 1. */
export interface PcmAudio {
  sampleRate: number;
  samples: Float32Array;
}

/** A piece of text as the engine heard it; not always a word as it was written. */
export interface TimedText {
  text: string;
  start: number;
  end: number;
}

/** What a provider makes of a request, before it is cut to length and brought to one loudness. */
export interface RawSpeech {
  audio: PcmAudio;
  words: SpokenWord[];
  isEstimated: boolean;
  warnings: string[];
}

/** Everything that decides how a provider's answer sounds, beside the text. */
export interface ProviderRequest extends SpeechRequest {
  model: string;
  /** Resolved: the script's, the voice's or the text's own. */
  language: string;
  speed: number;
}

export interface VoiceProvider {
  /** Stands in the cache's key and in `Speech.engine`. */
  readonly name: string;
  /** Changes whenever the same request may sound different. */
  readonly version: string;
  /** `folder` exists, is the call's own, and is deleted by the caller. */
  synthesize(request: ProviderRequest, call: { folder: string; signal: AbortSignal }): Promise<RawSpeech>;
}
