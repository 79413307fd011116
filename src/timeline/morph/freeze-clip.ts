import type { Clip, Curve, MediaRange } from '../../contract/index.js';
import { product, valueAt } from '../curves.js';

/** Seconds of a file by its index in the sources; 0: unknown, or a still. */
export type SecondsOfSource = (source: number) => number;

interface Frozen {
  /** Frame of the clip that is shown. */
  at: number;
  /** Length of the result. */
  frames: number;
  fps: number;
  secondsOf: SecondsOfSource;
}

/** A clip that shows one frame of another clip for some frames. Waveforms go on. */
export function freezeClip(clip: Clip, frozen: Frozen): Clip {
  const { at, frames, secondsOf } = frozen;
  const { fadeIn = 0, fadeOut = 0, clips, ...rest } = clip;
  const gain = Math.min(1, fadeIn > 0 ? at / fadeIn : 1) * Math.min(1, fadeOut > 0 ? (clip.frames - at) / fadeOut : 1);
  const still = holdCurves(rest, at) as Clip;
  return {
    ...still,
    start: 0,
    frames,
    ...(gain < 1 && { opacity: product(valueAt(still.opacity ?? 1, 0), gain) }),
    ...(clip.media && clip.source !== undefined && { media: freezeMedia(clip.media, frozen, secondsOf(clip.source)) }),
    ...(clip.mask?.media && { mask: { ...clip.mask, media: freezeMedia(clip.mask.media, frozen, secondsOf(clip.mask.source)) } }),
    ...(clips && { clips: visibleMembers(clips, at).map((member) => freezeClip(member, { ...frozen, at: at - member.start })) }),
  };
}

/** The clips that are shown at a frame. */
export function visibleMembers(clips: readonly Clip[], frame: number): Clip[] {
  return clips.filter(({ start, frames }) => start <= frame && frame < start + frames);
}

/** Replaces all curves of a value by their values at a frame. */
function holdCurves(value: unknown, frame: number): unknown {
  if (isCurve(value)) return valueAt(value, frame);
  if (Array.isArray(value)) return value.map((item) => holdCurves(item, frame));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, name === 'media' ? part : holdCurves(part, frame)]));
}

const isCurve = (value: unknown): value is Exclude<Curve, number> =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'object' && item !== null && 'frame' in item);

/** The media stands still at what it shows at a frame, in the loop of that time. */
function freezeMedia({ speed = 1, ...media }: MediaRange, { at, fps }: Frozen, fileSeconds: number): MediaRange {
  const played = playedAt(speed, at / fps);
  const pass = (media.out ?? fileSeconds) - media.in;
  const { loops = 1, ...rest } = media;
  const isLooped = pass > 0 && (loops < 0 || played < loops * pass);
  const inPass = isLooped ? played % pass : played;
  const hold = [{ time: 0, from: 0 }];
  // Reversed media begins at its end, so that is moved instead.
  if (media.reverse === true) return { ...rest, out: Math.max(media.in + 1 / fps, media.in + pass - inPass), speed: hold };
  return { ...rest, in: media.in + inPass, speed: hold };
}

/** Seconds of the media that are played at a time of the clip. */
function playedAt(speed: NonNullable<MediaRange['speed']>, seconds: number): number {
  if (typeof speed === 'number') return speed * seconds;
  let played = 0;
  for (const [index, { time, from, to = from }] of speed.entries()) {
    const end = speed[index + 1]?.time ?? Number.POSITIVE_INFINITY;
    const length = Math.min(seconds, end) - time;
    if (length <= 0) break;
    const last = end === Number.POSITIVE_INFINITY ? from : from + ((to - from) * length) / (end - time);
    played += ((from + last) / 2) * length;
  }
  return played;
}
