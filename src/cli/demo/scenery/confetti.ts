import { createRandom } from '../noise.js';

const [width, height, fps, frames] = [1080, 1080, 30, 150];

/** One paper that falls, sways and turns. */
function paper(index: number, random: () => number): object {
  const [x, begin, time] = [width * (0.1 + 0.8 * random()), random() * 50, 60 + 40 * random()];
  const color = [
    [0.89, 0.34, 0.18],
    [0.95, 0.7, 0.2],
    [0.18, 0.44, 0.56],
    [0.96, 0.93, 0.88],
    [0.78, 0.22, 0.35],
    [0.36, 0.55, 0.43],
  ][index % 6] ?? [1, 1, 1];
  const drift = (random() - 0.5) * 180;
  const ease = { i: { x: 0.7, y: 0.7 }, o: { x: 0.3, y: 0.3 } };
  const still = (k: unknown): object => ({ a: 0, k });
  const move = (from: number | number[], to: number | number[]): object => ({
    a: 1,
    k: [
      { t: begin, s: [from].flat(), ...ease },
      { t: begin + time, s: [to].flat() },
    ],
  });
  // Papers are gone before they reach the edge of the box, which may lie within the frame.
  const fade = {
    a: 1,
    k: [
      { t: begin + time * 0.7, s: [100], ...ease },
      { t: begin + time * 0.95, s: [0] },
    ],
  };
  const side = 16 + 18 * random();
  return {
    ty: 4,
    ind: index + 1,
    ip: 0,
    op: frames,
    st: 0,
    sr: 1,
    ks: {
      o: fade,
      a: still([0, 0]),
      p: move([x, -60], [x + drift, height + 80]),
      r: move(0, (random() - 0.5) * 1400),
      s: still([100, 100]),
    },
    shapes: [
      { ty: 'rc', p: still([0, 0]), s: move([side, side * 1.7], [side * 0.4, side * 1.7]), r: still(3) },
      { ty: 'fl', c: still([...color, 1]), o: still(100) },
    ],
  };
}

/** Falling confetti as a Lottie animation of five seconds. */
export function composeConfetti(): string {
  const random = createRandom(90);
  return JSON.stringify({
    v: '5.7.0',
    fr: fps,
    ip: 0,
    op: frames,
    w: width,
    h: height,
    layers: Array.from({ length: 90 }, (_, index) => paper(index, random)),
  });
}
