import { numberOf } from '../expressions/index.js';
import type { Freeze, SpeedKeyframe } from '../movie.js';
import type { PlaybackSpeed } from '../playback.js';
import { isObject } from '../raw.js';
import { readEasing } from '../values/easings.js';

/** The speed and the freezes of an element that is not validated yet, without what is invalid, which validation reports later. */
export function loosePlayback(speed: unknown, freeze: unknown): PlaybackSpeed {
  const constant = Array.isArray(speed) ? undefined : numberOf(speed);
  return {
    ...(Array.isArray(speed) ? { speed: looseKeyframes(speed) } : {}),
    ...(constant !== undefined && constant > 0 ? { speed: constant } : {}),
    freeze: looseFreezes(Array.isArray(freeze) ? freeze : [freeze]),
  };
}

function looseKeyframes(list: readonly unknown[]): SpeedKeyframe[] {
  let last = -1;
  return list.flatMap((one) => {
    const [time, value] = isObject(one) ? [numberOf(one.time), numberOf(one.value)] : [];
    if (!isObject(one) || time === undefined || value === undefined || !(time > last && value > 0)) return [];
    last = time;
    return [{ time, value, easing: readEasing(one.easing ?? 'linear') ?? 'linear' }];
  });
}

function looseFreezes(list: readonly unknown[]): Freeze[] {
  let end = 0;
  return list.flatMap((one) => {
    const [time, duration] = isObject(one) ? [numberOf(one.time), numberOf(one.duration)] : [];
    if (time === undefined || duration === undefined || time < end || !(duration > 0)) return [];
    end = time + duration;
    return [{ time, duration }];
  });
}
