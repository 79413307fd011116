import type { Cue } from '../../graphics/index.js';
import { spokenCue } from '../../graphics/index.js';
import type { Recogniser, SpokenWord } from '../../providers/transcription/index.js';
import { RecognitionError } from '../../providers/transcription/index.js';
import type { Element } from '../../script/index.js';
import type { MediaFile } from '../../timeline/index.js';
import type { Captions, PlacedElement } from './caption-sources.js';
import type { DrawRequest } from './drawn-elements.js';

interface AudibleElement extends PlacedElement {
  element: Element & { type: 'video' | 'audio' };
  file: MediaFile;
}

/** Recognised words by file, language and keywords; shared by several subtitles. */
export type RecognitionResults = Map<string, Promise<SpokenWord[]>>;

/** Video and audio elements that are audible. */
export function findAudibleElements(placed: readonly PlacedElement[], media: DrawRequest['media']): AudibleElement[] {
  return placed.flatMap((one) => {
    const { element } = one;
    const file = media.get(element.path);
    if ((element.type !== 'video' && element.type !== 'audio') || file === undefined || !file.hasAudio) return [];
    return element.muted || element.volume === 0 || one.frames < 1 ? [] : [{ ...one, element, file }];
  });
}

/** Transcribes the speech of video and audio elements; each file once. */
export async function recogniseSpeech(
  heard: readonly AudibleElement[],
  from: number,
  asked: { language: string; keywords: readonly string[]; recogniser: Recogniser; known: RecognitionResults; request: DrawRequest },
): Promise<Captions> {
  const { language, keywords, recogniser, known, request } = asked;
  const { fps } = request.movie;
  const seconds = (frames: number): number => (frames * fps.den) / fps.num;
  const cues: Cue[] = [];
  const warnings: string[] = [];
  for (const { element, file, startFrame, frames } of heard) {
    const key = JSON.stringify([file.path, language, keywords]);
    const words =
      known.get(key) ??
      recogniser.recognise({ path: file.path, keywords, folder: request.workDir, ...(language === 'auto' ? {} : { language }) }, request.signal);
    known.set(key, words);
    try {
      const skipped = element.seek < 0 ? Math.max(0, file.durationSeconds + element.seek) : element.seek;
      const cue = spokenCue(wordsBetween(await words, skipped, skipped + seconds(frames)), seconds(startFrame - from) - skipped);
      if (cue !== undefined) cues.push(cue);
    } catch (error) {
      if (!(error instanceof RecognitionError)) throw error;
      warnings.push(`the speech in ${element.path} ${error.message}`);
    }
  }
  return { cues, warnings };
}

/** Words within the played range; only the first loop gets subtitles. */
function wordsBetween(words: readonly SpokenWord[], from: number, to: number): SpokenWord[] {
  return words
    .filter(({ start, end }) => end > from && start < to)
    .map((word) => ({ ...word, start: Math.max(from, word.start), end: Math.min(to, word.end) }));
}
