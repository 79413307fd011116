import { armchair, boards, mix, painting, plant, sofa, weave } from './furniture.js';
import type { Scene } from './light.js';
import { linear, type Shape, shape, surface, type Texture, type Triple } from './shapes.js';

/** A room of 7 × 3 × 6 m, open to the camera, with a window wall on the right and behind. */
function room(wall: string, floor: Texture, back: string): Shape[] {
  const paint = surface(wall);
  const frame = surface('#26241f', { gloss: 0.04 });
  const shapes = [
    shape('box', [0, -0.1, 0], [8, 0.2, 9], surface(floor, { gloss: 0.045, roughness: 0.1 })),
    shape('box', [0, 3.1, 0], [8, 0.2, 9], surface('#f4f1ea')),
    shape('box', [-3.6, 1.5, 0], [0.2, 3, 9], paint),
    shape('box', [0, 1.5, -3.1], [7.4, 3, 0.2], surface(back)),
    // The window wall: a sill, a lintel and posts.
    shape('box', [3.6, 0.1, 0], [0.2, 0.2, 9], paint),
    shape('box', [3.6, 2.85, 0], [0.2, 0.3, 9], paint),
    shape('box', [0, 1.5, 4.5], [8, 3, 0.2], paint),
  ];
  for (const z of [-2.9, -1.2, 0.5, 2.2]) shapes.push(shape('box', [3.58, 1.5, z], [0.09, 2.8, 0.07], frame));
  return shapes;
}

const daySky = (x: number, y: number, _z: number): Triple => {
  const t = Math.max(0, y);
  if (y < -0.02) return [0.5 + 0.1 * x, 0.55, 0.42];
  return [2.6 - 1.2 * t, 2.9 - 0.9 * t, 3.3 - 0.3 * t];
};

/** A living room in the late afternoon. */
export const livingRoom: Scene = {
  shapes: [
    ...room('#efe9df', boards('#b89670', '#8a6647'), '#e2d9cb'),
    shape('box', [-0.2, 0.012, -0.6], [3.9, 0.024, 2.9], surface(weave('#d9cdb8', 0.3, 40))),
    ...sofa(-0.3, -2.05, '#8f9a8c'),
    ...painting(-0.3, 1.75, 1.7, 1.1, ['#e8d8b8', '#c0673c', '#2d4f5a']),
    shape('drum', [-0.2, 0.36, -0.7], [1.15, 0.05, 1.15], surface(boards('#7a5232', '#5b3b22'), { gloss: 0.05, roughness: 0.08 })),
    ...[0, 120, 240].map((turn) =>
      shape('drum', [-0.2 + 0.4 * Math.cos(turn / 57.3), 0.17, -0.7 + 0.4 * Math.sin(turn / 57.3)], [0.05, 0.34, 0.05], surface('#4a3120')),
    ),
    shape('drum', [-0.42, 0.46, -0.62], [0.13, 0.16, 0.13], surface('#e6e0d4', { gloss: 0.05 })),
    ...[0, 1, 2, 3, 4].map((n) =>
      shape('ball', [-0.42 + 0.1 * Math.sin(n * 2.4), 0.64 + 0.05 * n, -0.62 + 0.1 * Math.cos(n * 2.4)], [0.11, 0.16, 0.1], surface('#6d7f52')),
    ),
    shape('box', [0.08, 0.4, -0.75], [0.42, 0.035, 0.3], surface('#31556a'), 14),
    shape('box', [0.1, 0.43, -0.75], [0.38, 0.03, 0.27], surface('#d8b25a'), -6),
    // A floor lamp: its shade glows a little.
    shape('drum', [-2.35, 0.75, -2.2], [0.03, 1.5, 0.03], surface('#1d1b19')),
    shape('drum', [-2.35, 0.02, -2.2], [0.34, 0.03, 0.34], surface('#1d1b19')),
    shape('drum', [-2.35, 1.62, -2.2], [0.46, 0.34, 0.46], surface('#ffdca8', { glow: 2.4 })),
    ...plant(1.95, 0, -2.3, 1.5, 4),
    ...armchair(1.9, -0.75, '#a9683f', -62),
  ],
  eye: [-0.55, 1.35, 3.7],
  target: [-0.1, 1.05, -2],
  fov: 66,
  sky: daySky,
  sun: { direction: [0.8, 0.46, 0.28], color: [6.6, 5.5, 4.2], size: 0.012 },
  exposure: 0.62,
};

const marble: Texture = (x, y, z) => {
  const vein = Math.abs(Math.sin(2.1 * x + 3.4 * z + 1.7 * y + 1.3 * Math.sin(3 * x - 2 * y) + 0.7 * Math.sin(7 * z + 5 * x)));
  return mix(linear('#f2efea'), linear('#b9b4ad'), Math.max(0, 1 - vein * 9) * 0.8);
};

/** A kitchen with an island, in the morning. */
export const kitchen: Scene = {
  shapes: [
    ...room('#eef0ec', boards('#cdb08a', '#a17f59', 0.18), '#e6e7e1'),
    // Cabinets with a niche between them.
    shape('box', [-0.4, 0.45, -2.7], [5.8, 0.9, 0.6], surface('#3d5148')),
    shape('box', [-0.4, 0.92, -2.68], [5.84, 0.05, 0.66], surface(marble, { gloss: 0.05, roughness: 0.04 })),
    shape('box', [-0.4, 1.3, -2.98], [5.8, 0.72, 0.03], surface(marble, { gloss: 0.04, roughness: 0.06 })),
    shape('box', [-0.4, 2.05, -2.8], [5.8, 0.06, 0.36], surface(boards('#a5794c', '#7b5532'))),
    ...[-2.6, -1.85, -1.1, -0.35, 0.4, 1.15, 1.9].map((x) => shape('box', [x, 0.45, -2.395], [0.012, 0.84, 0.01], surface('#26332d'))),
    ...[-2.2, -1.5, -0.7, 0.05, 0.8, 1.5].map((x) => shape('box', [x, 0.74, -2.385], [0.16, 0.018, 0.02], surface('#c99b4e', { gloss: 0.5, roughness: 0.1 }))),
    // Things on the board and on the counter.
    ...[-2.2, -2.02, -1.86].map((x, n) =>
      shape('drum', [x, 2.08 + 0.14, -2.8], [0.13, 0.28 - n * 0.04, 0.13], surface(['#d9cdb8', '#b5653a', '#f2eee6'][n] ?? '#fff', { gloss: 0.05 })),
    ),
    ...[0.2, 0.42, 0.64].map((x) => shape('ball', [x, 2.18, -2.8], [0.2, 0.2, 0.2], surface('#e8e2d6', { gloss: 0.05 }))),
    shape('drum', [1.7, 1.1, -2.75], [0.12, 0.32, 0.12], surface('#2f3b36', { gloss: 0.06 })),
    shape('box', [1.35, 1.15, -2.9], [0.5, 0.36, 0.03], surface(boards('#b98a5a', '#94683f')), 4),
    ...plant(1.2, 2.08, -2.8, 0.5, 8, '#c98d63'),
    // The island with stools.
    shape('box', [0, 0.45, -0.4], [2.9, 0.9, 0.95], surface(boards('#a5794c', '#7b5532', 0.09))),
    shape('box', [0, 0.93, -0.4], [3.1, 0.07, 1.1], surface(marble, { gloss: 0.06, roughness: 0.03 })),
    ...[-0.95, 0, 0.95].flatMap((x) => [
      shape('drum', [x, 0.66, 0.5], [0.4, 0.07, 0.4], surface('#b5653a')),
      ...[-0.13, 0.13].flatMap((dx) => [-0.13, 0.13].map((dz) => shape('drum', [x + dx, 0.32, 0.5 + dz], [0.03, 0.64, 0.03], surface('#26241f')))),
    ]),
    // A bowl of lemons and a vase.
    shape('ball', [-0.55, 1.03, -0.45], [0.46, 0.2, 0.46], surface('#3f5d67', { gloss: 0.06 })),
    ...[0, 1, 2, 3, 4].map((n) =>
      shape(
        'ball',
        [-0.55 + 0.12 * Math.cos(n * 1.3), 1.13 + (n === 4 ? 0.06 : 0), -0.45 + 0.12 * Math.sin(n * 1.3)],
        [0.13, 0.11, 0.11],
        surface('#e8bd2c', { gloss: 0.03 }),
        n * 50,
      ),
    ),
    shape('drum', [0.75, 1.09, -0.5], [0.16, 0.26, 0.16], surface('#ece6da', { gloss: 0.05 })),
    ...Array.from({ length: 12 }, (_, n) =>
      shape(
        'ball',
        [0.75 + 0.2 * Math.sin(n * 2.4), 1.4 + 0.035 * n, -0.5 + 0.2 * Math.cos(n * 2.4)],
        [0.2, 0.1, 0.09],
        surface(n % 2 === 0 ? '#5f7a4a' : '#76905c'),
        n * 40,
      ),
    ),
    // Lamps over the island.
    ...[-0.9, 0, 0.9].flatMap((x) => [
      shape('drum', [x, 2.5, -0.4], [0.012, 1, 0.012], surface('#1d1b19')),
      shape('ball', [x, 1.98, -0.4], [0.3, 0.3, 0.3], surface('#ffe2b4', { glow: 2.6 })),
    ]),
  ],
  eye: [0.25, 1.5, 3.6],
  target: [-0.05, 1.12, -2],
  fov: 62,
  sky: daySky,
  sun: { direction: [0.74, 0.5, 0.1], color: [5.8, 5.2, 4.4], size: 0.012 },
  exposure: 0.6,
};

/** A bedroom in the evening sun. */
export const bedroom: Scene = {
  shapes: [
    ...room('#e4dcd2', boards('#a98764', '#7b5d41'), '#5d6b62'),
    shape('box', [-0.1, 0.012, -0.9], [3.8, 0.024, 3], surface(weave('#cfc4b2', 0.3, 40))),
    // The bed: frame, mattress, blanket, pillows.
    shape('box', [0, 0.2, -1.75], [2, 0.22, 2.2], surface(boards('#8a6241', '#674627'))),
    shape('box', [0, 0.75, -2.92], [2.4, 1.1, 0.12], surface(weave('#b08a64', 0.12))),
    shape('box', [0, 0.42, -1.75], [1.86, 0.24, 2.1], surface('#efe9df')),
    shape('ball', [0, 0.5, -1.35], [2.04, 0.34, 1.7], surface(weave('#d8cbb6', 0.16))),
    shape('box', [0, 0.44, -1.22], [2, 0.27, 1.1], surface(weave('#b5653a', 0.16))),
    shape('ball', [0, 0.58, -1.1], [2.0, 0.14, 1.2], surface(weave('#b5653a', 0.16))),
    ...[-0.48, 0.48].flatMap((x) => [
      shape('ball', [x, 0.74, -2.62], [0.84, 0.52, 0.26], surface('#f3eee5')),
      shape('ball', [x * 0.9, 0.66, -2.36], [0.74, 0.42, 0.26], surface(weave('#ddd2c0'))),
    ]),
    shape('ball', [0, 0.62, -2.16], [0.6, 0.32, 0.24], surface(weave('#34505a'))),
    // Bedside tables with lamps.
    ...[-1.5, 1.5].flatMap((x) => [
      shape('drum', [x, 0.26, -2.65], [0.5, 0.5, 0.5], surface(boards('#8a6241', '#674627'))),
      shape('drum', [x, 0.62, -2.65], [0.05, 0.24, 0.05], surface('#c99b4e', { gloss: 0.5, roughness: 0.1 })),
      shape('ball', [x, 0.86, -2.65], [0.32, 0.3, 0.32], surface('#ffd7a0', { glow: 3.4 })),
    ]),
    shape('box', [-1.42, 0.53, -2.5], [0.22, 0.03, 0.16], surface('#34505a'), 20),
    ...painting(0, 1.95, 1.5, 0.8, ['#e6dcc8', '#8a9a86', '#c46a3a']),
    ...plant(2.4, 0, -2.35, 1.5, 21, '#c9bfb0'),
  ],
  eye: [-0.75, 1.35, 3.2],
  target: [0.02, 0.95, -2],
  fov: 62,
  sky: (x, y, z) => {
    const [r, g, b] = daySky(x, y, z);
    return [r * 0.8, g * 0.62, b * 0.6];
  },
  sun: { direction: [0.86, 0.36, 0.34], color: [6.4, 4.4, 2.8], size: 0.014 },
  exposure: 0.72,
};
