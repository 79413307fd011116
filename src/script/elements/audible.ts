import type { Fields } from '../validation/fields.js';

/** Parses `volume` and `muted`. */
export function parseVolume(fields: Fields) {
  return { volume: fields.number('volume'), muted: fields.flag('muted') };
}

/** Parses the audio properties of video and audio elements. */
export function parseAudible(fields: Fields) {
  return { ...parseVolume(fields), seek: fields.number('seek'), loop: parseLoop(fields), ...parseSpeed(fields), ...parseDuck(fields) };
}

const parseSpeed = (fields: Fields) => ({ speed: fields.number('speed'), keepPitch: fields.flag('keep_pitch') });

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
