import type { SpeedKeyframe } from '../movie.js';
import { fail, joinPath } from '../validation/fail.js';
import { Fields } from '../validation/fields.js';
import { schemaPart } from '../validation/schema.js';
import { parseEasing } from '../values/easings.js';
import { parseSoundEffects } from './sound-effects.js';

/** Parses the audio properties of everything with sound. */
export function parseVolume(fields: Fields) {
  return { volume: fields.number('volume'), muted: fields.flag('muted'), ...parseSoundEffects(fields) };
}

/** Parses the audio properties of video and audio elements. */
export function parseAudible(fields: Fields) {
  return { ...parseVolume(fields), seek: fields.number('seek'), loop: parseLoop(fields), ...parseSpeed(fields), ...parseDuck(fields) };
}

function parseSpeed(fields: Fields) {
  const found = fields.find('speed');
  const speed = found !== undefined && Array.isArray(found.value) ? parseSpeedKeyframes(found.value, found.path) : fields.number('speed');
  return { speed, reverse: fields.flag('reverse'), keepPitch: fields.flag('keep_pitch') };
}

function parseSpeedKeyframes(list: readonly Record<string, unknown>[], path: string): SpeedKeyframe[] {
  const schema = schemaPart('speedKeyframe');
  let previous = -1;
  return list.map((object, index) => {
    const fields = new Fields({ object, path: joinPath(path, index), schema });
    const time = fields.number('time');
    if (time <= previous) fail(fields.pathOf('time'), `time must be later than that of the keyframe before, which is ${previous}, not ${time}.`);
    previous = time;
    return { time, value: fields.number('value'), easing: parseEasing(fields, 'linear') };
  });
}

/** Parses `loop`: the number of plays, -1 for endless. */
export function parseLoop(fields: Fields): number {
  const value = fields.find('loop')?.value;
  const loop = value === true ? -1 : fields.number('loop');
  return loop === 0 ? 1 : loop;
}

/** Attenuation for `"duck": true`, in decibels. */
const DEFAULT_DUCK_DB = 12;

function parseDuck(fields: Fields): { duck?: number } {
  const value = fields.find('duck')?.value;
  if (value === undefined || value === false) return {};
  return { duck: value === true ? DEFAULT_DUCK_DB : fields.number('duck') };
}
