import type { SpokenWord } from './spoken-word.js';

export interface RecognitionRequest {
  /** A film or sound of any kind that the engine can read. */
  path: string;
  /** BCP 47; absent: the recogniser tells it. */
  language?: string;
  /** Names and words that are to be expected. */
  keywords: readonly string[];
  /** Existing folder for temporary files. */
  folder: string;
}

export interface Recogniser {
  /** The words with their times in the file; throws RecognitionError. */
  recognise(request: RecognitionRequest, signal: AbortSignal): Promise<SpokenWord[]>;
}

/** Worded to follow "the speech in it". */
export class RecognitionError extends Error {}

/** A film's sound as recognisers like it: WAV, one channel of 16 bits. */
export interface TranscribeRequest extends RecognitionRequest {
  audioPath: string;
  audioSeconds: number;
}

export type Transcribe = (request: TranscribeRequest, signal: AbortSignal) => Promise<SpokenWord[]>;
