import { createRandom, createRidge } from '../noise.js';
import { linear, type Shape, shape, surface, type Texture, type Triple } from './shapes.js';

/** A colour between two. */
export const mix = (a: Triple, b: Triple, t: number): Triple => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];

/** Boards along z with joints and grain. */
export function boards(light: string, dark: string, width = 0.14): Texture {
  const [from, to] = [linear(dark), linear(light)];
  const grain = createRidge(5, 4, 0);
  const tone = createRidge(9, 2, 0);
  return (x, _y, z) => {
    const board = Math.floor(x / width);
    const along = z + board * 0.73;
    const joint = x / width - board < 0.025 || Math.abs((along / 1.9) % 1) < 0.004 ? 0.55 : 1;
    const t = 0.5 + 0.42 * tone(board * 7.31 + Math.floor(along / 1.9) * 3.7) + 0.22 * grain(x * 60 + Math.sin(along * 3 + board) * 0.8);
    const color = mix(from, to, Math.min(1, Math.max(0, t)));
    return [color[0] * joint, color[1] * joint, color[2] * joint];
  };
}

/** Cloth or carpet: one colour with fine noise. */
export function weave(color: string, depth = 0.18, scale = 90): Texture {
  const base = linear(color);
  const noise = createRidge(13, 3, 0);
  return (x, y, z) => {
    const t = 1 + depth * (noise(x * scale + y * 31) + noise(z * scale + y * 47));
    return [base[0] * t, base[1] * t, base[2] * t];
  };
}

/** Leaves of a plant in a pot, as small ellipsoids about a centre. */
export function plant(x: number, y: number, z: number, height: number, seed: number, pot = '#d8d2c8'): Shape[] {
  const random = createRandom(seed);
  const leaf = ['#2f4d2a', '#3d6134', '#4d7440', '#28442a'].map((color) => surface(color, { gloss: 0.04, roughness: 0.3 }));
  const shapes = [shape('drum', [x, y + height * 0.13, z], [height * 0.3, height * 0.26, height * 0.3], surface(pot))];
  for (let n = 0; n < 26; n++) {
    const angle = random() * 360;
    const out = height * (0.06 + 0.26 * random());
    const at: Triple = [x + out * Math.cos((angle * Math.PI) / 180), y + height * (0.36 + 0.6 * random()), z - out * Math.sin((angle * Math.PI) / 180)];
    const long = height * (0.16 + 0.16 * random());
    shapes.push(shape('ball', at, [long, long * (0.3 + 0.5 * random()), long * 0.32], leaf[n % leaf.length] ?? surface('#2f4d2a'), angle));
  }
  return shapes;
}

/** A sofa with cushions. */
export const sofa = (x: number, z: number, color: string): Shape[] => {
  const cloth = surface(weave(color));
  const soft = surface(weave(color, 0.12));
  const cushion = (dx: number, y: number, color: string, turn: number): Shape =>
    shape('ball', [x + dx, y, z - 0.14], [0.62, 0.52, 0.24], surface(weave(color)), turn);
  return [
    shape('box', [x, 0.25, z], [2.6, 0.18, 0.98], cloth),
    shape('box', [x, 0.5, z - 0.42], [2.6, 0.6, 0.14], cloth),
    ...[-0.62, 0.62].map((dx) => shape('ball', [x + dx, 0.62, z - 0.34], [1.34, 0.56, 0.42], soft)),
    ...[-0.62, 0.62].map((dx) => shape('box', [x + dx, 0.4, z + 0.06], [1.18, 0.14, 0.84], soft)),
    ...[-0.62, 0.62].map((dx) => shape('ball', [x + dx, 0.46, z + 0.06], [1.28, 0.16, 0.92], soft)),
    ...[-1.25, 1.25].flatMap((dx) => [shape('box', [x + dx, 0.38, z], [0.2, 0.4, 0.98], cloth), shape('ball', [x + dx, 0.58, z], [0.26, 0.16, 1.06], cloth)]),
    cushion(-0.92, 0.72, '#b0603a', 14),
    cushion(-0.5, 0.68, '#ded3c0', -10),
    cushion(0.9, 0.71, '#34505a', -16),
    ...[-1.15, 1.15].flatMap((dx) => [-0.38, 0.38].map((dz) => shape('drum', [x + dx, 0.08, z + dz], [0.05, 0.16, 0.05], surface('#5b3d26')))),
  ];
};

/** A round armchair. */
export const armchair = (x: number, z: number, color: string, turn: number): Shape[] => {
  const cloth = surface(weave(color, 0.12));
  const angle = (turn * Math.PI) / 180;
  const at = (dx: number, y: number, dz: number): Triple => [
    x + dx * Math.cos(angle) + dz * Math.sin(angle),
    y,
    z - dx * Math.sin(angle) + dz * Math.cos(angle),
  ];
  return [
    shape('drum', at(0, 0.26, 0), [0.84, 0.16, 0.84], cloth),
    shape('ball', at(0, 0.4, 0.02), [0.86, 0.26, 0.86], cloth),
    shape('ball', at(0, 0.62, -0.34), [0.92, 0.78, 0.3], cloth, turn),
    shape('ball', at(-0.42, 0.46, 0), [0.22, 0.4, 0.82], cloth, turn),
    shape('ball', at(0.42, 0.46, 0), [0.22, 0.4, 0.82], cloth, turn),
    ...[-0.26, 0.26].flatMap((dx) => [-0.26, 0.26].map((dz) => shape('drum', at(dx, 0.1, dz), [0.045, 0.2, 0.045], surface('#4a3120')))),
  ];
};

/** A painting of flat colours in a thin frame on the back wall. */
export const painting = (x: number, y: number, width: number, height: number, colors: [string, string, string]): Shape[] => {
  const [ground, first, second] = [linear(colors[0]), linear(colors[1]), linear(colors[2])];
  const canvas: Texture = (px, py) => {
    const [u, v] = [(px - x) / width, (py - y) / height];
    if ((u - 0.12) ** 2 + (v - 0.14) ** 2 < 0.045) return second;
    return v < -0.12 + 0.16 * Math.sin(u * 4 + 0.6) ? first : ground;
  };
  return [
    shape('box', [x, y, -2.985], [width + 0.05, height + 0.05, 0.03], surface('#6b4a2c')),
    shape('box', [x, y, -2.965], [width, height, 0.02], surface(canvas)),
  ];
};
