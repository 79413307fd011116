import type { AudioClip } from '../../contract/index.js';
import { AppError } from '../../errors/index.js';
import { type AudibleElement, type Keyframe, Playback, type Span } from '../../script/index.js';
import { fadeFrames } from '../clips/span.js';
import { combine, curveOf, keyframeCurve, product } from '../curves.js';
import type { MediaFile } from '../media-file.js';
import { mediaRange } from '../media-range.js';
import type { Sources } from '../sources.js';

/** An audible element with its clip. */
export interface AudibleClip {
  element: AudibleElement;
  file: MediaFile;
  clip: AudioClip;
  /** Index of its scene; absent for movie-level elements. */
  scene?: number;
}

/** The audio clip of an element; `containerStart` is the movie frame its scene starts at. Undefined when silent. Throws RENDER_FAILED when an audio file has no audio stream. */
export function createAudioClip(
  element: AudibleElement,
  file: MediaFile,
  span: Span,
  containerStart: number,
  fps: number,
  sources: Sources,
): AudioClip | undefined {
  if (element.type !== 'video' && !file.hasAudio) {
    throw new AppError('RENDER_FAILED', { path: element.path, message: `${element.path}: the file has no audio stream.` });
  }
  if (element.muted || element.volume === 0 || !file.hasAudio) return undefined;
  return {
    source: sources.use(element.type === 'voice' ? 'audio' : element.type, file.path, element.path),
    start: containerStart + span.startFrame,
    frames: span.frames,
    gain: combine(keyframeCurve(element.keyframes, 'volume', span.frames, fps), element.volume, span.frames, product) ?? 1,
    ...fadeFrames(element, fps),
    media: element.type === 'voice' ? { in: 0 } : mediaRange(element, file),
    ...soundEffects(element),
    ...movingEffects(element, span.frames, fps),
  };
}

/** The effects that keyframes change. */
function movingEffects(
  { keyframes, equalizer = [], reverb }: AudibleElement,
  frames: number,
  fps: number,
): Pick<AudioClip, 'balance' | 'pitch' | 'equalizer' | 'reverb'> {
  const curve = (property: 'balance' | 'pitch' | 'reverbWet') => keyframeCurve(keyframes, property, frames, fps);
  const [balance, pitch, wet] = [curve('balance'), curve('pitch'), curve('reverbWet')];
  const bands = equalizer.map((band, index) => ({ ...band, ...movingBand(keyframes, index, frames, fps) }));
  return {
    ...(balance && { balance }),
    ...(pitch && { pitch }),
    ...(keyframes.some((keyframe) => keyframe.equalizer !== undefined) && { equalizer: bands }),
    ...(wet && reverb && { reverb: { ...reverb, wet } }),
  };
}

const bandLimits = { frequency: { min: 20, max: 20_000 }, gain: { min: -24, max: 24 }, q: { min: 0.1, max: 10 } };
type Band = NonNullable<AudioClip['equalizer']>[number];

function movingBand(keyframes: readonly Keyframe[], index: number, frames: number, fps: number): Partial<Band> {
  return Object.fromEntries(
    (['frequency', 'gain', 'q'] as const).flatMap((name) => {
      const curve = curveOf(keyframes, ({ equalizer }) => equalizer?.[index]?.[name], bandLimits[name], frames, fps);
      return curve === undefined ? [] : [[name, curve]];
    }),
  );
}

const effectNames = ['balance', 'pitch', 'equalizer', 'compressor', 'reverb', 'limiter', 'denoise'] as const;
type SoundEffects = Pick<AudioClip, (typeof effectNames)[number]>;

/** The effects of an element or a clip; neutral ones are absent. */
export function soundEffects(effects: SoundEffects): SoundEffects {
  return Object.fromEntries(effectNames.flatMap((name) => (effects[name] === undefined ? [] : [[name, effects[name]]])));
}

/** Frames a clip's media can play from its start; for a video the longer of its streams counts. */
export function playableFrameCount({ clip, file, element }: AudibleClip, fps: number): number {
  const { in: from, out = file.durationSeconds, loops = 1 } = clip.media;
  if (loops < 0) return Number.POSITIVE_INFINITY;
  const media = Math.max(0, out - from) * loops;
  return Math.floor((element.type === 'voice' ? media : new Playback(element).endOf(media)) * fps + 1e-6);
}

/** Multiplies the clip's gain with a curve over frames from the clip's start. */
export function multiplyGain(clip: AudioClip, curve: AudioClip['gain']): AudioClip {
  return { ...clip, gain: combine(clip.gain, curve, clip.frames, product) ?? 1 };
}
