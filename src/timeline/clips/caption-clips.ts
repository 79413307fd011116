import type { Clip } from '../../contract/index.js';
import type { Span, SubtitlesElement } from '../../script/index.js';
import type { Piece } from '../piece.js';
import type { ClipContext } from './media-clip.js';
import { pieceClips } from './piece-clips.js';

/** Clips of a subtitles element, which is laid out on the whole canvas and has no motion. */
export function captionClips(element: SubtitlesElement, pieces: readonly Piece[], span: Span, context: ClipContext): Clip[] {
  const { width, height } = context.movie;
  return pieceClips({ ...element, ...staticVisual }, pieces, { x: 0, y: 0, width, height }, span, context);
}

const staticVisual = {
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
  sharpen: 0,
  grain: 0,
  skewX: 0,
  skewY: 0,
  rotateX: 0,
  rotateY: 0,
  perspective: 0,
  motionBlur: 0,
} as const;
