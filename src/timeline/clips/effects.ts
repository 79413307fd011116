import type { Clip } from '../../contract/index.js';
import type { ChromaKey, Color, Visual } from '../../script/index.js';

const GREEN: Color = { r: 0, g: 255, b: 0, a: 255 };

type Effects = Pick<Clip, 'blend' | 'blur' | 'chromaKey' | 'correction' | 'flipX' | 'flipY' | 'sharpen' | 'vignette' | 'grain' | 'motionBlur'>;

/** Effects of an element that do not depend on the position of a pixel in its box. */
export function pixelEffects(element: Visual): Effects {
  const { blendMode, blur, chromaKey, correction, sharpen, vignette, grain, motionBlur } = element;
  return {
    ...(blendMode === 'normal' ? {} : { blend: blendMode }),
    ...(blur === 0 ? {} : { blur }),
    ...(chromaKey === undefined ? {} : { chromaKey: keyOf(chromaKey) }),
    ...(correction === undefined ? {} : { correction }),
    ...(sharpen === 0 ? {} : { sharpen }),
    ...(vignette === undefined ? {} : { vignette }),
    ...(grain === 0 ? {} : { grain }),
    ...(motionBlur === 0 ? {} : { motionBlur }),
    ...(element.flipHorizontal ? { flipX: true } : {}),
    ...(element.flipVertical ? { flipY: true } : {}),
  };
}

/** The key's values that differ from the usual ones. The planner has chosen a missing colour. */
function keyOf({ color = GREEN, tolerance, softness, despill, choke, view }: ChromaKey): NonNullable<Clip['chromaKey']> {
  return {
    color: formatColor(color),
    tolerance,
    ...(softness !== 0.5 && { softness }),
    ...(despill !== 1 && { despill }),
    ...(choke !== 0 && { choke }),
    ...(view !== 'result' && { view }),
  };
}

/** A colour as `#rrggbbaa`. */
export function formatColor(color: Color): string {
  return `#${[color.r, color.g, color.b, color.a].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
