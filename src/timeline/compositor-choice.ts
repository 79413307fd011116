import type { Clip, Timeline } from '../contract/index.js';

type Composed = Pick<Timeline, 'canvas' | 'under' | 'sections' | 'over' | 'compositor'>;

/**
 * Megapixels of layers from which opening a graphics device pays. Loading its driver, opening it and compiling shaders took 2 s on an H200; in that
 * time one core of its host composed layers of 6,000 to 8,000 megapixels.
 */
const MIN_DEVICE_MEGAPIXELS = 8000;
/** Cost of an effect, in layers. */
const EFFECT_LAYERS = 3;
/** A clip with motion blur is drawn about so often for a frame. */
const MOTION_BLUR_DRAWS = 8;

const effects = ['correction', 'chromaKey', 'grade', 'mask', 'blur', 'sharpen', 'vignette', 'grain', 'perspective', 'shadows', 'blend'] as const;

/** The compositor for a movie on a host with a graphics device: what the CPU composes sooner than a device opens is left to the CPU. */
export function chooseCompositor(movie: Composed): NonNullable<Timeline['compositor']> {
  const { compositor = 'auto' } = movie;
  return compositor === 'auto' && layerMegapixels(movie) < MIN_DEVICE_MEGAPIXELS ? 'cpu' : compositor;
}

/** Pixels of all layers in all frames, in millions; effects count as further layers. */
function layerMegapixels({ canvas, under, sections, over }: Composed): number {
  const all = canvas.width * canvas.height;
  const pixelsOf = (clip: Clip): number => {
    const members = (clip.clips ?? []).reduce((sum, member) => sum + pixelsOf(member), 0);
    const layers = 1 + EFFECT_LAYERS * effects.filter((name) => clip[name] !== undefined).length;
    const draws = clip.motionBlur === undefined ? 1 : MOTION_BLUR_DRAWS;
    return draws * (members + layers * Math.min(all, clip.box.width * clip.box.height) * clip.frames);
  };
  const clips = [...under, ...sections.flatMap((section) => section.clips), ...over];
  return clips.reduce((sum, clip) => sum + pixelsOf(clip), 0) / 1e6;
}
