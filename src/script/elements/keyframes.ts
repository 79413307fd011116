import type { Keyframe } from '../movie.js';
import { fail, joinPath, show } from '../validation/fail.js';
import { Fields } from '../validation/fields.js';
import { canvasScale } from '../values/canvas.js';
import type { ElementContext } from './context.js';

type Factor = 'scale' | 'rotation' | 'opacity' | 'volume';
const factors: readonly Factor[] = ['scale', 'rotation', 'opacity', 'volume'];

/** Percentages of a length that is not known yet count as a part of it. */
export function parseKeyframes(element: Fields, context: ElementContext): Keyframe[] {
  const found = element.find('keyframes');
  const schema = found?.schema.items;
  if (found === undefined || schema === undefined) return [];
  const list = (found.value as Array<Record<string, unknown>>).map((object, index) =>
    parseKeyframe(new Fields({ object, path: joinPath(found.path, index), schema }), context),
  );
  return checkOrder(list, found.path);
}

function parseKeyframe(fields: Fields, { canvas }: ElementContext): Keyframe {
  const keyframe: Keyframe = { time: parseTime(fields), easing: fields.string('easing') };
  const x = fields.length('x', canvasScale(canvas, canvas.width));
  const y = fields.length('y', canvasScale(canvas, canvas.height));
  if (x !== undefined) keyframe.x = x;
  if (y !== undefined) keyframe.y = y;
  for (const name of factors) {
    const value = fields.optionalNumber(name);
    if (value !== undefined) keyframe[name] = value;
  }
  return keyframe;
}

function parseTime(fields: Fields): Keyframe['time'] {
  const value = fields.find('time')?.value;
  if (typeof value !== 'string' || !value.trim().endsWith('%')) return { seconds: fields.number('time') };
  const percent = Number(value.trim().slice(0, -1));
  if (!(percent >= 0 && percent <= 100)) fail(fields.pathOf('time'), `time must be a number of seconds or a percentage from 0% to 100%, not ${show(value)}.`);
  return { fraction: percent / 100 };
}

function checkOrder(list: Keyframe[], path: string): Keyframe[] {
  for (const [index, { time }] of list.entries()) {
    const before = list[index - 1]?.time;
    if (before === undefined) continue;
    const later =
      'seconds' in time && 'seconds' in before
        ? time.seconds > before.seconds
        : 'fraction' in time && 'fraction' in before
          ? time.fraction > before.fraction
          : true;
    if (!later) fail(joinPath(joinPath(path, index), 'time'), 'time must be later than that of the keyframe before.');
  }
  return list;
}
