import { round, type SourceFields } from '../fields.js';
import { easings, type Keyframe } from '../keyframes.js';
import { type ElementPlacement, lengthOf, percentOf, secondsOf } from './box.js';
import { directionVector, textAnimations } from './tables.js';

/** Converts animations to keyframes, or to properties such as fade_in and style. */
export function readAnimations(place: ElementPlacement): object {
  const { fields } = place;
  const listed = fields.list('animations').map((animation) => ({ animation, at: animation.raw('time') }));
  const [enter, exit] = [fields.object('enter'), fields.object('exit')];
  const all = [...listed, ...(enter ? [{ animation: enter, at: 'start' }] : []), ...(exit ? [{ animation: exit, at: 'end' }] : [])];
  return Object.assign({}, ...all.map(({ animation, at }) => readAnimation(place, animation, at)));
}

function readAnimation(place: ElementPlacement, animation: SourceFields, at: unknown): object {
  const { keyframes, length } = place;
  const type = animation.text('type') ?? '';
  const seconds = secondsOf(animation.raw('duration'), length) ?? 1;
  const isWhole = at === undefined && !animation.has('duration');
  const leaves = at === 'end' || animation.flag('reversed') === true;
  animation.ignore('transition', 'scope', 'time');
  if (typeof at === 'number' && at > 0) animation.approximate('time', 'at the beginning');
  const style = Object.hasOwn(textAnimations, type) ? textAnimations[type] : undefined;
  if (style !== undefined) {
    animation.approximate('type', 'one of the styles of texts');
    animation.ignore('split', 'reversed', 'axis', 'background_effect', 'x_anchor', 'y_anchor', 'easing', 'direction', 'distance', 'fade');
    if (!leaves) return { style: style(String(animation.raw('split') ?? 'word')) };
    return { fade_out: seconds };
  }
  const easing = animation.choice('easing', easings, '; it is smooth') ?? 'easeInOutSine';
  const motion = readMotion(place, animation, type, isWhole);
  if (motion === undefined) {
    if (type !== 'fade') animation.approximate('type', 'a fade');
    return leaves ? { fade_out: seconds } : { fade_in: seconds };
  }
  const [away, home] = motion;
  if (isWhole) keyframes.add({ time: 0, easing, ...away }, { time: '100%', ...home });
  else if (leaves) keyframes.leave(seconds, { easing, ...home }, away);
  else keyframes.enter(seconds, { easing, ...away }, home);
  if (leaves && !keyframes.hasLength) animation.approximate('duration', 'in the last fifth, because the length is unknown');
  return {};
}

type Values = Omit<Keyframe, 'time'>;

/** Values away from and at the element's own position; undefined when the animation becomes a fade. */
function readMotion({ canvas }: ElementPlacement, animation: SourceFields, type: string, isWhole: boolean): readonly [Values, Values] | undefined {
  const fades = animation.flag('fade') === true;
  const [from, to] = fades ? [{ opacity: 0 }, { opacity: 1 }] : [{}, {}];
  switch (type) {
    case 'slide': {
      const [x, y] = directionVector(animation.raw('direction'));
      const part = percentOf(animation.raw('distance')) ?? 1;
      return [
        { ...from, x: round(-x * part * canvas.width), y: round(-y * part * canvas.height) },
        { ...to, x: 0, y: 0 },
      ];
    }
    case 'shift': {
      const [x, y] = directionVector(animation.raw('direction'));
      const part = percentOf(animation.raw('distance')) ?? 0.1;
      return [
        { x: 0, y: 0 },
        { x: round(x * part * canvas.width), y: round(y * part * canvas.height) },
      ];
    }
    case 'scale':
    case 'bounce':
    case 'squash': {
      if (type !== 'scale') animation.approximate('type', 'a change of size');
      animation.omitAll({ axis: 'both axes are scaled', x_anchor: 'about the middle', y_anchor: 'about the middle', frequency: 'the easing determines it' });
      const start = percentOf(animation.raw('start_scale')) ?? (isWhole ? 1 : 0);
      return [
        { ...from, scale: start },
        { ...to, scale: percentOf(animation.raw('end_scale')) ?? 1 },
      ];
    }
    case 'pan': {
      const at = (name: string, whole: number): number => round(whole / 2 - (lengthOf(animation.raw(name), whole, canvas) ?? whole / 2));
      return [
        { x: at('start_x', canvas.width), y: at('start_y', canvas.height), scale: percentOf(animation.raw('start_scale')) ?? 1.2 },
        { x: at('end_x', canvas.width), y: at('end_y', canvas.height), scale: percentOf(animation.raw('end_scale')) ?? 1.2 },
      ];
    }
    case 'spin':
      animation.omitAll({ x_anchor: 'about the middle', y_anchor: 'about the middle' });
      return [
        { ...from, rotation: -(Number.parseFloat(String(animation.raw('rotation') ?? 360)) || 360) },
        { ...to, rotation: 0 },
      ];
    default:
      return undefined;
  }
}
