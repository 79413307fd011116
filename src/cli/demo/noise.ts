/** A deterministic generator of numbers 0..1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** One-dimensional gradient noise, -1..1. */
function createNoise(seed: number): (x: number) => number {
  const random = createRandom(seed);
  const slopes = Array.from({ length: 256 }, () => random() * 2 - 1);
  const slopeAt = (index: number): number => slopes[index & 255] ?? 0;
  return (x) => {
    const cell = Math.floor(x);
    const t = x - cell;
    const ease = t * t * t * (t * (t * 6 - 15) + 10);
    const left = slopeAt(cell) * t;
    const right = slopeAt(cell + 1) * (t - 1);
    return 2 * (left + (right - left) * ease);
  };
}

/** Several octaves of noise; `sharpness` 0 gives rolling hills, 1 gives sharp crests. */
export function createRidge(seed: number, octaves: number, sharpness: number): (x: number) => number {
  const noise = createNoise(seed);
  return (x) => {
    let height = 0;
    let amplitude = 1;
    let total = 0;
    let frequency = 1;
    for (let octave = 0; octave < octaves; octave++) {
      const value = noise(x * frequency + octave * 37.7);
      height += amplitude * (value * (1 - sharpness) + (1 - 2 * Math.abs(value)) * sharpness);
      total += amplitude;
      amplitude *= 0.48;
      frequency *= 2.07;
    }
    return height / total;
  };
}
