import type { SubtitleStyle } from '../../script/index.js';
import type { Piece } from '../../timeline/index.js';
import type { FrameRange, PageSchedule, WordSchedule } from './schedule.js';

/** Motion of a piece; keyframes count frames from the element's start. */
export type CaptionMotion = Pick<Piece, 'opacity' | 'shiftX' | 'shiftY' | 'scaleX' | 'scaleY' | 'reveal' | 'anchor' | 'blur'>;

/** What a word's motion depends on. */
export interface MovingWord {
  schedule: PageSchedule;
  word: WordSchedule;
  /** Pixels. */
  fontSize: number;
  fps: number;
  /** Whether the word is emphasized. */
  isLarge: boolean;
  rightToLeft: boolean;
  /** Width of its sprite in pixels. */
  width: number;
}

const still: CaptionMotion = {};

/** How far a word may grow on each side, in ems, so that the gap to its neighbours stays. */
const MAX_GROWTH = 0.07;

/** Motion of a word in a style; without one for the styles that stand still. */
export function wordMotion(style: SubtitleStyle, moving: MovingWord): CaptionMotion {
  switch (style) {
    case 'pop':
      return { ...pageEntrance(moving), ...scaled(moving, 0.86, 1.13) };
    case 'gradient':
    case 'glow':
      return { ...pageEntrance(moving), ...scaled(moving, 0.96, 1.06) };
    case 'bounce':
      return { ...dropped(moving, 0.75), ...fadeIn(moving.word.shown, 0.08, moving.fps) };
    case 'stack':
      return { ...risen(moving, 0.55), ...fadeIn(moving.word.shown, 0.16, moving.fps) };
    case 'emphasis':
      return moving.isLarge ? { ...pageEntrance(moving), ...scaled(moving, 0.7, 1.08) } : pageEntrance(moving);
    case 'box-slide':
    case 'karaoke-fill':
      return pageEntrance(moving);
    default:
      return still;
  }
}

/** A page fades in and rises a little. */
function pageEntrance({ schedule, fontSize, fps }: MovingWord): CaptionMotion {
  const { start } = schedule.shown;
  const end = start + framesOf(0.14, fps);
  return {
    ...fadeIn(schedule.shown, 0.14, fps),
    shiftY: [
      { frame: start, value: 0.18 * fontSize, easing: 'easeOutCubic' },
      { frame: end, value: 0 },
    ],
  };
}

/** When the word is spoken it takes these sizes one after the other, and then its own. */
function scaled({ word, schedule, fps, fontSize, width }: MovingWord, small: number, wanted: number): CaptionMotion {
  const large = Math.min(wanted, 1 + (2 * MAX_GROWTH * fontSize) / Math.max(1, width));
  const at = word.lit?.start ?? schedule.shown.start;
  const step = framesOf(0.09, fps);
  const scale = [
    ...(at > schedule.shown.start ? [{ frame: at - 1, value: 1 }] : []),
    { frame: at, value: small, easing: 'easeOutCubic' as const },
    { frame: at + step, value: large, easing: 'easeInOutSine' as const },
    { frame: at + 2 * step + 1, value: 1 },
  ];
  return { scaleX: scale, scaleY: scale, anchor: { x: 0.5, y: 0.5 } };
}

/** The word falls to its place from a height in ems, and bounces once. */
function dropped({ word, fontSize, fps }: MovingWord, ems: number): CaptionMotion {
  const { start } = word.shown;
  const landed = start + framesOf(0.16, fps);
  const up = landed + framesOf(0.1, fps);
  return {
    shiftY: [
      { frame: start, value: -ems * fontSize, easing: 'easeInQuad' },
      { frame: landed, value: 0, easing: 'easeOutQuad' },
      { frame: up, value: -0.12 * fontSize, easing: 'easeInQuad' },
      { frame: up + framesOf(0.1, fps), value: 0 },
    ],
  };
}

/** The word rises to its place from a depth in ems. */
function risen({ word, fontSize, fps }: MovingWord, ems: number): CaptionMotion {
  const { start } = word.shown;
  return {
    shiftY: [
      { frame: start, value: ems * fontSize, easing: 'easeOutExpo' },
      { frame: start + framesOf(0.36, fps), value: 0 },
    ],
  };
}

/** Fades from the frame before the start, so that the first frame is not blank, which would flicker at each change of pages. */
function fadeIn({ start }: Pick<FrameRange, 'start'>, seconds: number, fps: number): CaptionMotion {
  return {
    opacity: [
      { frame: start - 1, value: 0, easing: 'easeOutQuad' },
      { frame: start - 1 + framesOf(seconds, fps), value: 1 },
    ],
  };
}

/** The word is filled while it is spoken, in reading direction. */
export function fillMotion({ word, rightToLeft }: MovingWord): CaptionMotion {
  if (word.lit === undefined) return still;
  const hidden = [
    { frame: word.lit.start, value: 1 },
    { frame: word.lit.end, value: 0 },
  ];
  return { reveal: rightToLeft ? { left: hidden } : { right: hidden } };
}

/** A box comes from the place and width of the one before it. */
export function boxMotion(box: { x: number; width: number }, before: { x: number; width: number } | undefined, start: number, fps: number): CaptionMotion {
  if (before === undefined) return fadeIn({ start }, 0.08, fps);
  const end = start + framesOf(0.18, fps);
  return {
    shiftX: [
      { frame: start, value: before.x - box.x, easing: 'easeOutCubic' },
      { frame: end, value: 0 },
    ],
    scaleX: [
      { frame: start, value: before.width / Math.max(1, box.width), easing: 'easeOutCubic' },
      { frame: end, value: 1 },
    ],
    anchor: { x: 0, y: 0.5 },
  };
}

/** Blur of a glow, as a fraction of the font size. */
const GLOW_BLUR = 0.16;

export function glowOf({ schedule, fontSize }: MovingWord): CaptionMotion {
  return { blur: [{ frame: schedule.shown.start, value: GLOW_BLUR * fontSize }] };
}

const framesOf = (seconds: number, fps: number): number => Math.max(1, Math.round(seconds * fps));
