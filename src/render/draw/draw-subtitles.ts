import type { Problem } from '../../errors/index.js';
import { type Cue, drawSubtitles as drawCaptions } from '../../graphics/index.js';
import type { SubtitlesElement } from '../../script/index.js';
import type { Piece } from '../../timeline/index.js';
import type { RenderContext } from '../render-context.js';
import { type Captions, cuesFromVoices, languageTag, type PlacedElement, placeElements, readCaptions } from './caption-sources.js';
import type { DrawnElements, DrawRequest, RecognitionResults } from './drawn-elements.js';
import { markLoudWords } from './loud-words.js';
import { findAudibleElements, recogniseSpeech, transcriptOf, type WantedTranscript } from './recognise-speech.js';

type CaptionParts = Pick<RenderContext, 'assets' | 'sprites' | 'recogniser' | 'engine'>;
type Subtitles = PlacedElement & { element: SubtitlesElement };

/** Draws the subtitles of every scene and of the movie: from captions, else from voices, else by speech recognition. */
export async function drawSubtitles(request: DrawRequest, parts: CaptionParts): Promise<Pick<DrawnElements, 'pieces' | 'captions' | 'warnings'>> {
  const { movie, durations, signal } = request;
  const known: RecognitionResults = new Map(request.transcripts);
  const pieces = new Map<string, Piece[]>();
  const warnings: Problem[] = [];
  const captions: Cue[] = [];
  const listed = listSubtitles(request);
  for (const { placed, heard } of listed) {
    const { element, startFrame, frames } = placed;
    const found = await findCaptions(placed, heard, request, { ...parts, known });
    const drawn = await drawCaptions(
      { path: element.path, cues: found.cues, look: element.look, language: element.language, canvas: movie, fps: movie.fps, frames, signal },
      parts.sprites,
    );
    pieces.set(element.path, drawn.pieces);
    const language = languageTag(element.language);
    for (const cue of found.cues)
      captions.push({ ...shiftCue(cue, (startFrame * movie.fps.den) / movie.fps.num), ...(language !== undefined && { language }) });
    for (const message of [...found.warnings, ...drawn.warnings]) warnings.push({ path: element.path, message });
  }
  if (listed.length === 0) {
    const { scenes, overlays } = placeElements(movie, durations);
    captions.push(...cuesFromVoices([...scenes.flat(), ...overlays], 0, request));
  }
  return { pieces, captions, warnings };
}

function shiftCue(cue: Cue, by: number): Cue {
  const shifted = (time: number | undefined): number | undefined => (time === undefined ? undefined : time + by);
  const spans = cue.spans.map((span) => {
    const [start, end] = [shifted(span.start), shifted(span.end)];
    return { ...span, ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
  });
  return { ...cue, start: cue.start + by, end: cue.end + by, spans };
}

/** Lists the transcripts that subtitles without captions and voices need, each once. */
export function findTranscripts(request: Omit<DrawRequest, 'signal' | 'transcripts'>): WantedTranscript[] {
  const wanted = listSubtitles(request).flatMap(({ placed: { element, startFrame }, heard }) => {
    if (element.captions !== undefined || cuesFromVoices(heard, startFrame, request).length > 0) return [];
    return findAudibleElements(heard, request.media).map(({ file }) => transcriptOf(file, element, request.workDir));
  });
  return [...new Map(wanted.map((one) => [one.key, one])).values()];
}

/** Subtitles with the elements whose speech they show: those of their scene, or of the whole movie. */
function listSubtitles({ movie, durations }: Pick<DrawRequest, 'movie' | 'durations'>): Array<{ placed: Subtitles; heard: PlacedElement[] }> {
  const { scenes, overlays } = placeElements(movie, durations);
  const lists = [...scenes.map((own) => ({ own, heard: own })), { own: overlays, heard: [...scenes.flat(), ...overlays] }];
  return lists.flatMap(({ own, heard }) => own.filter(isSubtitles).map((placed) => ({ placed, heard })));
}

function isSubtitles(placed: PlacedElement): placed is Subtitles {
  return placed.element.type === 'subtitles';
}

async function findCaptions(
  { element, startFrame }: Subtitles,
  placed: readonly PlacedElement[],
  request: DrawRequest,
  { known, recogniser, ...parts }: CaptionParts & { known: RecognitionResults },
): Promise<Captions> {
  const { captions } = element;
  if (captions !== undefined) return readCaptions({ ...element, captions }, parts, request.signal);
  const emphasizes = element.look.style === 'emphasis';
  const spoken = emphasizes ? await withLoudWords(placed, request, parts.engine) : request;
  const cues = cuesFromVoices(placed, startFrame, spoken);
  if (cues.length > 0) return { cues, warnings: [] };
  const heard = findAudibleElements(placed, request.media);
  if (heard.length === 0) return { cues, warnings: ['no subtitles are drawn: there are no captions and there is no speech'] };
  if (recogniser === undefined) {
    return {
      cues,
      warnings: ['no subtitles are drawn: there are no captions and no voices, and speech recognition is not configured on this host'],
    };
  }
  return recogniseSpeech(heard, startFrame, { element, recogniser, known, request, ...(emphasizes && { engine: parts.engine }) });
}

/** The request with the loud words of its voices marked. */
async function withLoudWords(placed: readonly PlacedElement[], request: DrawRequest, engine: RenderContext['engine']): Promise<DrawRequest> {
  const words = new Map(request.words);
  for (const { element } of placed) {
    const [own, file] = [words.get(element.path), request.media.get(element.path)];
    if (own !== undefined && file?.hasAudio === true) words.set(element.path, await markLoudWords(own, file.path, { engine, ...request }));
  }
  return { ...request, words };
}
