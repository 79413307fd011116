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
  /** The words with their times in the file; throws RecognitionError. */
  recognise(request: RecognitionRequest, signal: AbortSignal): Promise<SpokenWord[]>;
}

/** Worded to follow "the speech in it". */
export class RecognitionError extends Error {}

/** `audioPath` is a WAV file, 16 bit, mono, 16 kHz. */
export interface TranscribeRequest extends RecognitionRequest {
  audioPath: string;
  audioSeconds: number;
}

export type Transcribe = (request: TranscribeRequest, signal: AbortSignal) => Promise<SpokenWord[]>;
