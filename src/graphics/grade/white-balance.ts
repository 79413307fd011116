/** Factors of the R'G'B' signals for a white balance of -100..100; 0 and 0 give 1. White keeps its luminance. */
export function whiteBalanceGains({ temperature, tint }: { temperature: number; tint: number }): [number, number, number] {
  const neutral = lightOf(0, 0);
  const light = lightOf(temperature, tint).map((value, channel) => value / (neutral[channel] as number)) as [number, number, number];
  const luminance = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
  // A factor of light is its 2.4th root for the signal of a BT.1886 display.
  return light.map((value) => (value / luminance) ** (1 / 2.4)) as [number, number, number];
}

const NEUTRAL_MIRED = 1e6 / 6504;
const TINT_REACH = 0.0002; // of v in CIE 1960, per step

/** Linear BT.709 R, G and B of a light on the Planckian locus, moved off it by the tint. */
function lightOf(temperature: number, tint: number): [number, number, number] {
  const [x, y] = planckian(1e6 / (NEUTRAL_MIRED + temperature));
  const scale = -2 * x + 12 * y + 3;
  const [u, v] = [(4 * x) / scale, (6 * y) / scale - tint * TINT_REACH];
  const unscale = 2 * u - 8 * v + 4;
  const [xTinted, yTinted] = [(3 * u) / unscale, (2 * v) / unscale];
  const [X, Z] = [xTinted / yTinted, (1 - xTinted - yTinted) / yTinted];
  return [3.2406 * X - 1.5372 - 0.4986 * Z, -0.9689 * X + 1.8758 + 0.0415 * Z, 0.0557 * X - 0.204 + 1.057 * Z];
}

/** CIE 1931 chromaticity of a black body at 2222 to 25000 K (Kim et al., 2002). */
function planckian(kelvin: number): [number, number] {
  const t = 1000 / kelvin;
  if (kelvin < 4000) {
    const x = -0.2661239 * t ** 3 - 0.234358 * t ** 2 + 0.8776956 * t + 0.17991;
    return [x, -0.9549476 * x ** 3 - 1.37418593 * x ** 2 + 2.09137015 * x - 0.16748867];
  }
  const x = -3.0258469 * t ** 3 + 2.1070379 * t ** 2 + 0.2226347 * t + 0.24039;
  return [x, 3.081758 * x ** 3 - 5.8733867 * x ** 2 + 3.75112997 * x - 0.37001483];
}
