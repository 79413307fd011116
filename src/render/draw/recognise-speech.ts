import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Engine } from '../../engine/index.js';
import type { Cue } from '../../graphics/index.js';
import { spokenCue } from '../../graphics/index.js';
import type { Recogniser, RecognitionRequest, SpokenWord } from '../../providers/transcription/index.js';
import { RecognitionError } from '../../providers/transcription/index.js';
import { type Element, Playback, type SubtitlesElement } from '../../script/index.js';
import type { MediaFile } from '../../timeline/index.js';
import type { Captions, PlacedElement } from './caption-sources.js';
import type { DrawRequest, RecognitionResults } from './drawn-elements.js';
import { markLoudWords } from './loud-words.js';

interface AudibleElement extends PlacedElement {
  element: Element & { type: 'video' | 'audio' };
  file: MediaFile;
}

/** Video and audio elements that are audible and can be understood. */
export function findAudibleElements(placed: readonly PlacedElement[], media: DrawRequest['media']): AudibleElement[] {
  return placed.flatMap((one) => {
    const { element } = one;
    const file = media.get(element.path);
    if ((element.type !== 'video' && element.type !== 'audio') || file === undefined || !file.hasAudio) return [];
    return element.muted || element.volume === 0 || element.reverse || one.frames < 1 ? [] : [{ ...one, element, file }];
  });
}

/** Transcribes the speech of video and audio elements; each file once. */
export async function recogniseSpeech(
  heard: readonly AudibleElement[],
  from: number,
  asked: { element: SubtitlesElement; recogniser: Recogniser; known: RecognitionResults; request: DrawRequest /** To find loud words. */; engine?: Engine },
): Promise<Captions> {
  const { recogniser, known, request } = asked;
  const { fps } = request.movie;
  const seconds = (frames: number): number => (frames * fps.den) / fps.num;
  const cues: Cue[] = [];
  const warnings: string[] = [];
  for (const { element, file, startFrame, frames } of heard) {
    const { key, request: recognition } = transcriptOf(file, asked.element, request.workDir);
    const words = known.get(key) ?? recogniser.recognise(recognition, request.signal);
    known.set(key, words);
    try {
      const skipped = element.seek < 0 ? Math.max(0, file.durationSeconds + element.seek) : element.seek;
      const playback = new Playback(element);
      const spoken = asked.engine === undefined ? await words : await markLoudWords(await words, file.path, { engine: asked.engine, ...request });
      const heardWords = wordsBetween(spoken, skipped, skipped + playback.mediaAt(seconds(frames)));
      // Times in the file become times of the element.
      const played = heardWords.map((word) => ({ ...word, start: playback.startOf(word.start - skipped), end: playback.startOf(word.end - skipped) }));
      const cue = spokenCue(played, seconds(startFrame - from));
      if (cue !== undefined) cues.push(cue);
    } catch (error) {
      if (!(error instanceof RecognitionError)) throw error;
      warnings.push(`the speech in ${element.path} ${error.message}`);
    }
  }
  return { cues, warnings };
}

/** A file whose speech subtitles show. */
export interface WantedTranscript {
  /** Key in RecognitionResults. */
  key: string;
  /** Hash of the file, the language and the keywords. */
  item: string;
  /** Duration of the file. */
  seconds: number;
  request: RecognitionRequest;
}

/** The transcript of a file for subtitles. */
export function transcriptOf({ path, durationSeconds }: MediaFile, { language, look: { keywords } }: SubtitlesElement, folder: string): WantedTranscript {
  const key = JSON.stringify([path, language, keywords]);
  // Fetched and generated files are named by the hash of their bytes.
  const item = createHash('sha256')
    .update(JSON.stringify([basename(path), language, keywords]))
    .digest('hex');
  return { key, item, seconds: durationSeconds, request: { path, keywords, folder, ...(language === 'auto' ? {} : { language }) } };
}

/** Words within the played range; only the first loop gets subtitles. */
function wordsBetween(words: readonly SpokenWord[], from: number, to: number): SpokenWord[] {
  return words
    .filter(({ start, end }) => end > from && start < to)
    .map((word) => ({ ...word, start: Math.max(from, word.start), end: Math.min(to, word.end) }));
}
