import type { SubtitlesElement } from '../movie/index.js';
import { drawSubtitles as drawCaptions } from '../subtitles/index.js';
import type { Piece } from '../timeline/index.js';
import { cuesOfVoices, type FoundCaptions, type Placed, placeElements, readCaptions } from './caption-sources.js';
import type { DrawnElements, DrawRequest } from './drawn-elements.js';
import type { RenderParts } from './render-parts.js';

type Subtitles = Placed & { element: SubtitlesElement };

/** Draws the subtitles of every scene and of the movie: given captions, else what the voices there say. */
export async function drawSubtitles(request: DrawRequest, parts: Pick<RenderParts, 'assets' | 'sprites'>): Promise<Pick<DrawnElements, 'pieces' | 'warnings'>> {
  const { movie, durations, signal } = request;
  const { scenes, overlays } = placeElements(movie, durations);
  const everything = [...scenes.flat(), ...overlays];
  const pieces = new Map<string, Piece[]>();
  const warnings: string[] = [];
  const lists = [...scenes.map((own) => ({ own, heard: own })), { own: overlays, heard: everything }];
  for (const { own, heard } of lists) {
    for (const placed of own.filter(isSubtitles)) {
      const { element, frames } = placed;
      const found = await findCaptions(placed, heard, request, parts);
      const drawn = await drawCaptions(
        { path: element.path, cues: found.cues, look: element.look, language: element.language, canvas: movie, fps: movie.fps, frames, signal },
        parts.sprites,
      );
      pieces.set(element.path, drawn.pieces);
      for (const warning of [...found.warnings, ...drawn.warnings]) warnings.push(`${element.path}: ${warning}`);
    }
  }
  return { pieces, warnings };
}

function isSubtitles(placed: Placed): placed is Subtitles {
  return placed.element.type === 'subtitles';
}

async function findCaptions(
  { element, startFrame }: Subtitles,
  heard: readonly Placed[],
  request: DrawRequest,
  parts: Pick<RenderParts, 'assets'>,
): Promise<FoundCaptions> {
  const { captions } = element;
  if (captions !== undefined) return readCaptions({ ...element, captions }, parts, request.signal);
  const cues = cuesOfVoices(heard, startFrame, request);
  return cues.length > 0 ? { cues, warnings: [] } : { cues, warnings: ['there are no captions and no voice whose words could be shown'] };
}
