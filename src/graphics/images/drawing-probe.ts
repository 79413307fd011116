import { type LottieProbeResult, withLottieProbe } from '../lottie/lottie-file.js';
import { type SvgProbeResult, type SvgSettings, withSvgProbe } from './svg-images.js';

/** Extends `probe` by the drawings that the engine does not read: SVG images and Lottie files. */
export function withDrawingProbe<Info>(
  probe: (path: string) => Promise<Info>,
  settings: SvgSettings,
): (path: string) => Promise<Info | LottieProbeResult | SvgProbeResult> {
  return withSvgProbe(withLottieProbe(probe), settings);
}
