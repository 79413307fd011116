import type { Clip, Section, Source, Timeline } from '../contract/index.js';

/** End of the names of sprite files that contain gradients. */
export const gradientSpriteSuffix = '-gradient.fwsp';

/** Transitions with a wide soft edge, light or blur, which make a gradient between flat colours. */
const softTransitions = /^(smooth|circle(open|close)|vert|horz|radial|diag|zoom-blur|light-leak|film-burn|luma)/;

/**
 * Whether a movie's blends are dithered: its sources, blurs, shadows or transitions make gradients. Other movies consist of flat colours with sharp
 * edges; dithering their fades would cost bits without a visible gain.
 */
export function needsDither({ sources, under, sections, over }: Pick<Timeline, 'sources' | 'under' | 'sections' | 'over'>): boolean {
  return sources.some(isSmooth) || sections.some(hasSoftTransition) || [under, ...sections.map(({ clips }) => clips), over].some(hasBlur);
}

const isSmooth = ({ kind, path }: Source): boolean => kind !== 'audio' && kind !== 'colorTable' && (kind !== 'sprite' || path.endsWith(gradientSpriteSuffix));
const hasSoftTransition = ({ transition }: Section): boolean => transition !== undefined && softTransitions.test(transition.style);
const hasBlur = (clips: readonly Clip[]): boolean =>
  clips.some(({ blur, shadows = [], clips: members = [] }) => blur !== undefined || shadows.some(({ blur: own = 0 }) => own !== 0) || hasBlur(members));
