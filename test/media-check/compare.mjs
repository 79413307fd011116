/** Side of the small images that are compared, in pixels. */
export const GRID = 32;
/** Samples per second of compared audio. */
export const RATE = 8000;

function distance(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += Math.abs(a[i] - b[i]);
  return sum / a.length;
}

/** Median over the frames of the mean difference of their pixels, in levels of 255. */
export function colorErrorOf(frames, expected) {
  const count = Math.min(frames.length, expected.length);
  const errors = Array.from({ length: count }, (_, index) => distance(frames[index], expected[index])).sort((a, b) => a - b);
  return errors[Math.floor(count / 2)] ?? 0;
}

/**
 * Frames by which the frames are late, each against the most similar expected frame, over those in which something moves: the median, and the
 * mean distance from it. Undefined if nothing moves.
 */
export function timeErrorOf(frames, expected) {
  const reach = 3;
  const offsets = [];
  for (let index = 0; index < Math.min(frames.length, expected.length); index += 1) {
    const near = [];
    for (let offset = -reach; offset <= reach; offset += 1) {
      const other = expected[index - offset];
      if (other !== undefined) near.push({ offset, distance: distance(frames[index], other) });
    }
    const own = near.find(({ offset }) => offset === 0);
    const best = near.reduce((a, b) => (b.distance < a.distance ? b : a));
    const moves = Math.max(...near.map((entry) => entry.distance)) > 2 * own.distance + 1 || own.distance > best.distance;
    if (!moves) continue;
    // A still stretch matches several frames equally well.
    offsets.push(best.distance < 0.7 * own.distance - 0.3 ? best.offset : 0);
  }
  if (offsets.length === 0) return undefined;
  const median = offsets.toSorted((a, b) => a - b)[Math.floor(offsets.length / 2)];
  return { median, spread: offsets.reduce((sum, offset) => sum + Math.abs(offset - median), 0) / offsets.length };
}

/** Milliseconds by which audio is late, by cross-correlation within 250 ms; undefined for silence and for tones, which match at several lags. */
export function audioLagOf(samples, expected) {
  const reach = RATE / 4;
  const length = Math.min(samples.length, expected.length) - reach;
  if (length < RATE / 4) return undefined;
  const correlate = (lag) => {
    let product = 0;
    let own = 0;
    let other = 0;
    for (let i = Math.max(0, -lag); i < length; i += 1) {
      product += samples[i + lag] * expected[i];
      own += samples[i + lag] ** 2;
      other += expected[i] ** 2;
    }
    return own * other < 1e-6 ? 0 : product / Math.sqrt(own * other);
  };
  const step = 4;
  const matches = [];
  for (let lag = -reach; lag <= reach; lag += step) matches.push({ lag, correlation: correlate(lag) });
  const best = matches.reduce((a, b) => (b.correlation > a.correlation ? b : a));
  const isAmbiguous = matches.some(({ lag, correlation }) => Math.abs(lag - best.lag) > RATE / 50 && correlation > 0.95 * best.correlation);
  return best.correlation < 0.3 || isAmbiguous ? undefined : (best.lag / RATE) * 1000;
}
