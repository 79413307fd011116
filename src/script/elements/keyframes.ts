import type { Keyframe } from '../movie.js';
import { fail, joinPath, show } from '../validation/fail.js';
import { Fields } from '../validation/fields.js';
import { canvasScale } from '../values/canvas.js';
import { parseEasing } from '../values/easings.js';
import type { ElementContext } from './context.js';

/** Properties that are numbers in a script too, by their names in it. */
const numbers = {
  scale: 'scale',
  rotation: 'rotation',
  'rotate-x': 'rotateX',
  'rotate-y': 'rotateY',
  opacity: 'opacity',
  volume: 'volume',
  brightness: 'brightness',
  contrast: 'contrast',
  gamma: 'gamma',
  saturation: 'saturation',
  sharpen: 'sharpen',
  vignette: 'vignette',
  grain: 'grain',
} as const satisfies Record<string, keyof Keyframe>;

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
  const cornerRadius = fields.length('corner-radius', canvasScale(canvas, canvas.width));
  if (cornerRadius !== undefined) keyframe.cornerRadius = cornerRadius;
  for (const [name, property] of Object.entries(numbers)) {
    const value = fields.optionalNumber(name);
    if (value !== undefined) keyframe[property] = value;
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
