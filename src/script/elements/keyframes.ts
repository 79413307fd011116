import type { Keyframe } from '../movie.js';
import { fail, joinPath, show } from '../validation/fail.js';
import { Fields } from '../validation/fields.js';
import { canvasScale } from '../values/canvas.js';
import { parseEasing } from '../values/easings.js';
import type { ElementContext } from './context.js';

type Factor = 'scale' | 'rotation' | 'opacity' | 'volume';
const factors: readonly Factor[] = ['scale', 'rotation', 'opacity', 'volume'];

/** Parses the keyframes of an element. Throws SCHEMA_VALIDATION_ERROR if their times do not increase. */
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
  const keyframe: Keyframe = { time: parseTime(fields), easing: parseEasing(fields, 'linear') };
  const x = fields.length('x', canvasScale(canvas, canvas.width));
  const y = fields.length('y', canvasScale(canvas, canvas.height));
  if (x !== undefined) keyframe.x = x;
  if (y !== undefined) keyframe.y = y;
  const blur = fields.length('blur', canvasScale(canvas, canvas.width));
  if (blur !== undefined) keyframe.blur = blur;
  const rotateX = fields.optionalNumber('rotate-x');
  const rotateY = fields.optionalNumber('rotate-y');
  if (rotateX !== undefined) keyframe.rotateX = rotateX;
  if (rotateY !== undefined) keyframe.rotateY = rotateY;
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
    const previous = list[index - 1]?.time;
    if (previous === undefined) continue;
    // Seconds and percentages cannot be compared before the duration is known.
    const isEarlier =
      ('seconds' in time && 'seconds' in previous && time.seconds <= previous.seconds) ||
      ('fraction' in time && 'fraction' in previous && time.fraction <= previous.fraction);
    if (isEarlier) fail(joinPath(joinPath(path, index), 'time'), 'time must be later than that of the previous keyframe.');
  }
  return list;
}
