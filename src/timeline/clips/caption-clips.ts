import type { SubtitlesElement } from '../../script/index.js';
import type { Piece } from '../piece.js';
import type { Clip } from '../timeline.js';
import type { ClipContext } from './media-clip.js';
import { pieceClips } from './piece-clips.js';
import type { Span } from './span.js';

/** Subtitles are laid out on the whole canvas and lie still on it. */
export function captionClips(element: SubtitlesElement, pieces: readonly Piece[], span: Span, context: ClipContext): Clip[] {
  const { width, height } = context.movie;
  return pieceClips({ ...element, ...still }, pieces, { x: 0, y: 0, width, height }, span, context);
}

const still = {
  position: 'custom',
  x: 0,
  y: 0,
  width: -1,
  height: -1,
  resize: 'none',
  opacity: 1,
  zoom: 0,
  panDistance: 0,
  panCrop: true,
  flipHorizontal: false,
  flipVertical: false,
  blendMode: 'normal',
  cornerRadius: 0,
  blur: 0,
} as const;
