import type { Keyframe } from '../../contract/index.js';
import type { LoopAnimation } from '../../script/index.js';
import type { FrameWindow } from './phases.js';
import type { PoseProperty, Subject } from './poses.js';

type LoopTracks = Partial<Record<PoseProperty, Keyframe[]>>;

/** Maximum number of repetitions of one curve; a blink of 0.1 s over hours, or of thousands of letters, would need too many keyframes. */
const MAX_REPETITIONS = 500;

/** Curves of a repeated motion that starts and ends at rest within the window. */
export function loopTracks(loop: LoopAnimation, window: FrameWindow, fps: number, subject: Subject): LoopTracks {
  const { type, distance, amount, direction } = loop;
  const period = loop.duration * fps;
  if (window.to - window.from < (type === 'spin' ? 2 : period / 2)) return {};
  switch (type) {
    case 'wave':
      return { y: oscillation(window, period, -(distance ?? (subject.em ?? shortSide(subject) * 0.1) * 0.18)) };
    case 'float':
      return { y: oscillation(window, period, -(distance ?? (subject.em === undefined ? shortSide(subject) * 0.02 : subject.em * 0.2))) };
    case 'sway':
      return { rotation: oscillation(window, period, amount ?? 4) };
    case 'pulse': {
      const scale = bounces(window, period, 1, 1 + (amount ?? 0.06));
      return { scaleX: scale, scaleY: scale };
    }
    case 'blink':
      return { opacity: bounces(window, period, 1, Math.max(0, 1 - (amount ?? 1))) };
    case 'spin':
      return { rotation: revolutions(window, period, direction === 'left' ? -360 : 360) };
  }
}

function shortSide({ canvas }: Subject): number {
  return Math.min(canvas.width, canvas.height);
}

/** A sine wave about 0: quarters and halves of it are sine easings. */
function oscillation({ from, to }: FrameWindow, period: number, amplitude: number): Keyframe[] {
  const halves = Math.min(2 * MAX_REPETITIONS, Math.floor((2 * (to - from)) / period + 1e-6) - 1);
  if (halves < 0) return [];
  const peaks = Array.from(
    { length: halves + 1 },
    (_, k): Keyframe => ({
      frame: from + period / 4 + (k * period) / 2,
      value: k % 2 === 0 ? amplitude : -amplitude,
      easing: k === halves ? 'easeInSine' : 'easeInOutSine',
    }),
  );
  return [{ frame: from, value: 0, easing: 'easeOutSine' }, ...peaks, { frame: from + ((halves + 1) * period) / 2, value: 0 }];
}

/** From rest to a value and back, as often as it fits. */
function bounces({ from, to }: FrameWindow, period: number, rest: number, value: number): Keyframe[] {
  const count = Math.min(MAX_REPETITIONS, Math.floor((to - from) / period + 1e-6));
  return Array.from({ length: 2 * count + 1 }, (_, k) => ({ frame: from + (k * period) / 2, value: k % 2 === 0 ? rest : value, easing: 'easeInOutSine' }));
}

/** Whole turns at a constant speed near the wanted one, so that the element ends as it began. */
function revolutions({ from, to }: FrameWindow, period: number, degrees: number): Keyframe[] {
  const count = Math.max(1, Math.round((to - from) / period));
  return [
    { frame: from, value: 0 },
    { frame: to - 1e-3, value: count * degrees, easing: 'hold' },
    { frame: to, value: 0 },
  ];
}
