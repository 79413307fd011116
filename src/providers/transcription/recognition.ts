import type { SpokenWord } from './spoken-word.js';

export interface RecognitionRequest {
  /** A video or audio file that the engine can read. */
  path: string;
  /** BCP 47; absent: the recogniser detects it. */
  language?: string;
  /** Names and words that the recogniser should expect. */
  keywords: readonly string[];
  /** Existing folder for temporary files. */
  folder: string;
}

export interface Recogniser {
  /** Name of the service, which costs money; absent for a model of this host. */
  readonly provider?: string;
  /** The words with their times in the file; throws RecognitionError. `onBought` is called as soon as a service has delivered them. */
  recognise(request: RecognitionRequest, signal: AbortSignal, onBought?: () => Promise<void>): Promise<SpokenWord[]>;
}

/** Worded to follow "the speech in it". */
export class RecognitionError extends Error {}

/** `audioPath` is a WAV file, 16 bit, mono, 16 kHz. */
export interface TranscribeRequest extends RecognitionRequest {
  audioPath: string;
  audioSeconds: number;
  onBought: (() => Promise<void>) | undefined;
}

export type Transcribe = (request: TranscribeRequest, signal: AbortSignal) => Promise<SpokenWord[]>;
