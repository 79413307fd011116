import { createRandom } from '../noise.js';
import { boards, mix, plant, weave } from './furniture.js';
import type { Scene } from './light.js';
import { linear, type Shape, shape, surface, type Texture, type Triple } from './shapes.js';

/** A sky like the lamps of a photo studio: one colour with a bright side. */
const studio =
  (color: string, strength: number): Scene['sky'] =>
  (x, y, z) => {
    const [r, g, b] = linear(color);
    const light = strength * (0.35 + 0.4 * Math.max(0, y) + 1.6 * Math.max(0, 0.55 * x + 0.6 * y + 0.58 * z - 0.62) * 2.6);
    return [r * light, g * light, b * light];
  };

/** A floor that rises into a wall, in one colour. */
const backdrop = (color: string, floorColor = color, gloss = 0): Shape[] => [
  shape('box', [0, -0.5, 0], [40, 1, 40], surface(floorColor, { gloss, roughness: 0.14 })),
  shape('box', [0, 4, -3], [40, 10, 0.4], surface(color)),
];

/** A lamp like a full moon on a plinth. */
export const orbLamp: Scene = {
  shapes: [
    ...backdrop('#4a3a52', '#3a2e44', 0.05),
    shape('drum', [0, 0.3, 0], [1.7, 0.6, 1.7], surface('#5d4863', { gloss: 0.03, roughness: 0.2 })),
    shape('drum', [0, 0.64, 0], [1.2, 0.08, 1.2], surface('#c99a5a', { gloss: 0.55, roughness: 0.09 })),
    shape('drum', [0, 0.72, 0], [0.34, 0.12, 0.34], surface('#c99a5a', { gloss: 0.55, roughness: 0.09 })),
    shape('ball', [0, 1.32, 0], [1.16, 1.16, 1.16], surface('#ffd9a4', { glow: 2.6 })),
    shape('drum', [-1.75, 0.55, -1], [0.9, 1.1, 0.9], surface('#6d5574')),
    shape('ball', [-1.75, 1.38, -1], [0.56, 0.56, 0.56], surface('#c98ba0', { gloss: 0.06, roughness: 0.05 })),
    shape('box', [1.7, 0.4, -1.1], [0.9, 0.8, 0.9], surface('#6d5574'), 24),
    ...plant(1.7, 0.8, -1.1, 1.1, 17, '#d8b08c'),
  ],
  eye: [0, 1.5, 5.4],
  target: [0, 1.02, 0],
  fov: 44,
  sky: studio('#8a76a8', 0.5),
  exposure: 1.1,
};

const fruit = (x: number, y: number, z: number, size: number, color: string, n = 0): Shape =>
  shape('ball', [x, y, z], [size, size * 0.94, size], surface(color, { gloss: 0.045, roughness: 0.07 }), n * 40);

/** A bowl of berries on a wooden table, seen from above. */
export const berryBowl: Scene = {
  shapes: (() => {
    const random = createRandom(12);
    const shapes: Shape[] = [
      shape('box', [0, -0.1, 0], [8, 0.2, 8], surface(boards('#8d6a4c', '#5d4129', 0.55), { gloss: 0.03, roughness: 0.2 })),
      shape('drum', [0, 0.012, 0], [2.5, 0.024, 2.5], surface(weave('#d9d2c4', 0.25, 60))),
      shape('ball', [0, 0.2, 0], [1.86, 0.6, 1.86], surface('#e9e4da', { gloss: 0.05, roughness: 0.06 })),
      shape('drum', [0, 0.42, 0], [1.62, 0.06, 1.62], surface('#f6efe2')),
    ];
    const colors = ['#8f1626', '#b01c2e', '#2a2c5a', '#343a72', '#a3182a', '#3a1838'];
    for (let n = 0; n < 64; n++) {
      const [angle, out] = [n * 2.39996, 0.72 * Math.sqrt((n + 0.5) / 64)];
      const size = 0.17 + 0.07 * random();
      shapes.push(
        fruit(
          out * Math.cos(angle),
          0.5 + 0.12 * random() + 0.14 * (1 - out),
          out * Math.sin(angle),
          size,
          colors[Math.floor(random() * colors.length)] ?? '#8f1626',
          n,
        ),
      );
    }
    for (let n = 0; n < 7; n++)
      shapes.push(
        shape(
          'ball',
          [0.34 * Math.cos(n * 0.9) - 0.1, 0.76 + 0.03 * (n % 3), 0.3 * Math.sin(n * 0.9)],
          [0.3, 0.05, 0.15],
          surface('#4d7a3a', { gloss: 0.04 }),
          n * 52,
        ),
      );
    for (const [x, z, color] of [
      [1.55, 0.7, '#b01c2e'],
      [1.75, 0.35, '#2a2c5a'],
      [-1.6, -0.65, '#a3182a'],
      [-1.5, 1.1, '#343a72'],
      [-1.75, 0.85, '#8f1626'],
      [0.6, -1.72, '#2a2c5a'],
      [1.5, -1.2, '#b01c2e'],
    ] as const)
      shapes.push(fruit(x, 0.1, z, 0.2, color));
    // A lemon in halves, a honey jar and a spoon.
    shapes.push(shape('ball', [-1.25, 0.2, -1.35], [0.62, 0.48, 0.48], surface('#e0b52a', { gloss: 0.04 }), 30));
    shapes.push(shape('drum', [1.45, 0.24, -1.55], [0.62, 0.48, 0.62], surface('#b8741c', { gloss: 0.12, roughness: 0.04 })));
    shapes.push(shape('ball', [0.95, 0.06, 1.62], [0.5, 0.09, 0.3], surface('#c9b491', { gloss: 0.4, roughness: 0.12 }), 24));
    shapes.push(shape('box', [1.62, 0.06, 1.9], [1.1, 0.05, 0.08], surface('#c9b491', { gloss: 0.4, roughness: 0.12 }), 156));
    return shapes;
  })(),
  eye: [0, 5.3, 2.5],
  target: [0, 0.1, 0.06],
  fov: 40,
  sky: studio('#fff0dc', 0.62),
  sun: { direction: [-0.72, 0.62, -0.3], color: [2.6, 2.2, 1.7], size: 0.05 },
  exposure: 0.8,
};

/** Balloons over coloured boxes. */
export const balloons: Scene = {
  shapes: (() => {
    const random = createRandom(3);
    const shapes = backdrop('#e8a7a0', '#e8a7a0');
    const colors = ['#e4572e', '#f2b134', '#2f6f8f', '#f4ece0', '#c8385a', '#5b8c6e'];
    const places: Triple[] = [
      [-1.9, 2.6, -0.6],
      [-1.1, 3.3, -1.2],
      [1.2, 3.25, -1.1],
      [2, 2.5, -0.5],
      [-2.3, 1.3, -0.4],
      [2.35, 1.2, -0.6],
      [-0.3, 4.1, -1.5],
      [0.75, 4.3, -1.4],
      [-1.6, 4.4, -1.3],
      [2.2, 4, -1.3],
      [-2.9, 3.5, -1.2],
      [3.1, 3.2, -1.3],
      [-3.3, 2.1, -1],
      [3.4, 1.9, -1],
    ];
    places.forEach(([x, y, z], n) => {
      const size = 0.86 + 0.2 * random();
      const skin = surface(colors[n % colors.length] ?? '#fff', { gloss: 0.07, roughness: 0.04 });
      shapes.push(shape('ball', [x, y, z], [size, size * 1.2, size], skin), shape('drum', [x, y - size * 0.63, z], [0.1, 0.09, 0.1], skin));
      shapes.push(shape('drum', [x, y - size * 0.63 - 1, z], [0.012, 2, 0.012], surface('#fff6ea')));
    });
    const gift = (x: number, z: number, width: number, height: number, color: string, ribbon: string, turn: number): Shape[] => [
      shape('box', [x, height / 2, z], [width, height, width], surface(color), turn),
      shape('box', [x, height / 2, z], [width * 1.01, height * 1.01, width * 0.16], surface(ribbon, { gloss: 0.06 }), turn),
      shape('box', [x, height / 2, z], [width * 0.16, height * 1.01, width * 1.01], surface(ribbon, { gloss: 0.06 }), turn),
      ...[-1, 1].map((side) =>
        shape('ball', [x + side * width * 0.16, height + 0.08, z], [width * 0.34, 0.16, width * 0.2], surface(ribbon, { gloss: 0.06 }), turn + side * 20),
      ),
    ];
    shapes.push(
      ...gift(-1.25, 0.4, 0.95, 0.7, '#2f6f8f', '#f2b134', 18),
      ...gift(1.3, 0.35, 0.85, 1.0, '#c8385a', '#f4ece0', -22),
      ...gift(0.1, -0.3, 0.7, 0.5, '#f2b134', '#e4572e', 8),
    );
    return shapes;
  })(),
  eye: [0, 2.1, 7.2],
  target: [0, 2.05, 0],
  fov: 46,
  sky: studio('#fff1e6', 1.0),
  sun: { direction: [-0.5, 0.7, 0.62], color: [1.5, 1.3, 1.1], size: 0.08 },
  exposure: 0.78,
};

/** Plain solids on a stage, as in a design course. */
export const solids: Scene = {
  shapes: [
    ...backdrop('#2f55d4', '#2a4cc4'),
    shape('box', [0, 0.2, -0.4], [4.6, 0.4, 2], surface('#3c63e2')),
    shape('drum', [-1.5, 0.85, -0.6], [0.9, 0.9, 0.9], surface('#ffd23f')),
    shape('ball', [-1.5, 1.72, -0.6], [0.84, 0.84, 0.84], surface('#ff6b4a', { gloss: 0.05, roughness: 0.05 })),
    shape('box', [1.45, 1.0, -0.7], [0.9, 1.2, 0.9], surface('#ff6b4a'), 28),
    shape('drum', [1.45, 1.72, -0.7], [0.7, 0.24, 0.7], surface('#f7f3ea')),
    shape('ball', [1.45, 2.16, -0.7], [0.64, 0.64, 0.64], surface('#ffd23f', { gloss: 0.05, roughness: 0.05 })),
    shape('box', [0.1, 1.2, -1.3], [0.5, 1.7, 0.5], surface('#f7f3ea'), 40),
    shape('ball', [0.75, 0.66, 0.1], [0.52, 0.52, 0.52], surface('#6fd0c0', { gloss: 0.05, roughness: 0.05 })),
    shape('drum', [-0.55, 0.55, 0.1], [0.46, 0.3, 0.46], surface('#f7f3ea')),
    shape('ball', [-2.6, 0.3, 0.5], [0.6, 0.6, 0.6], surface('#f7f3ea', { gloss: 0.05, roughness: 0.05 })),
    shape('box', [2.7, 0.25, 0.5], [0.5, 0.5, 0.5], surface('#6fd0c0'), 20),
  ],
  eye: [0, 2.2, 6.2],
  target: [0, 1.35, -0.4],
  fov: 44,
  sky: studio('#fff4e6', 0.85),
  sun: { direction: [0.62, 0.72, 0.5], color: [2.4, 2.1, 1.8], size: 0.03 },
  exposure: 0.78,
};

/** Water with short waves, as the colour of a flat surface. */
const lawn: Texture = (x, _y, z) =>
  mix(linear('#2d3d28'), linear('#3e5233'), 0.5 + 0.5 * Math.sin(x * 37.1 + Math.sin(z * 41) * 3) * Math.sin(z * 29.3 + x * 7));

/** A modern house with a pool at dusk. */
export const house: Scene = {
  shapes: (() => {
    const concrete = surface(weave('#b9b3aa', 0.05, 8));
    const wood = surface(boards('#9a6b42', '#6f4a2b', 0.16));
    const warm = (strength: number, at: number): Texture => {
      const light = linear('#ffc480');
      return (x, y) => {
        const fall = strength * (0.55 + 0.45 * Math.cos((x - at) * 1.1)) * (0.75 + 0.12 * y);
        return [light[0] * fall, light[1] * fall, light[2] * fall];
      };
    };
    const pane = (x: number, y: number, width: number, height: number, strength: number): Shape[] => [
      shape('box', [x, y, -2.4], [width, height, 0.06], surface(warm(strength, x), { glow: 1.5 })),
      ...Array.from({ length: Math.round(width / 1.3) + 1 }, (_, n) =>
        shape('box', [x - width / 2 + (n * width) / Math.round(width / 1.3), y, -2.33], [0.07, height, 0.07], surface('#1a1917')),
      ),
    ];
    const shapes: Shape[] = [
      shape('box', [0, -0.5, 0], [80, 1, 80], surface(lawn)),
      shape('box', [0, 0.03, -0.2], [11, 0.08, 4.6], surface(boards('#8f7a63', '#6c5945', 0.2))),
      shape('box', [0, 0.02, 2.9], [7.6, 0.12, 2.7], surface('#c9c2b6')),
      shape('box', [0, 0.04, 2.9], [7.2, 0.1, 2.3], surface('#06222c', { gloss: 0.16, roughness: 0.012 })),
      // Ground floor: a slab, glass, a wooden wall; first floor: a longer volume on top.
      shape('box', [-0.6, 0.1, -4], [9.6, 0.14, 4], concrete),
      ...pane(-1.4, 1.35, 5.2, 2.4, 1),
      shape('box', [2.6, 1.35, -3.6], [2.6, 2.5, 2.5], wood),
      shape('box', [-4.6, 1.35, -3.6], [0.9, 2.5, 2.6], concrete),
      shape('box', [0.3, 2.72, -3.1], [11, 0.3, 4.2], concrete),
      ...pane(1.9, 4, 4.4, 2.1, 0.85),
      shape('box', [-1.9, 4.05, -3.6], [3.1, 2.4, 2.6], wood),
      shape('box', [4.55, 4.05, -3.6], [0.7, 2.4, 2.6], concrete),
      shape('box', [0.9, 5.32, -3.2], [9.4, 0.28, 4], concrete),
      shape('box', [-1.4, 1, -2.9], [1.8, 0.5, 0.5], surface('#4a3120')),
      // Loungers and lights at the pool.
      ...[-2.4, -1.1].flatMap((x) => [
        shape('box', [x, 0.3, 0.9], [0.62, 0.1, 1.5], surface('#e9e2d4')),
        shape('box', [x, 0.48, 0.25], [0.62, 0.4, 0.1], surface('#e9e2d4')),
      ]),
      ...[-3.9, 3.9].map((x) => shape('ball', [x, 0.26, 1.5], [0.36, 0.36, 0.36], surface('#ffd9a4', { glow: 3 }))),
      ...plant(3.4, 0.05, 0.5, 1.7, 6, '#4d4a45'),
      ...plant(-4.4, 0.05, -0.3, 2, 9, '#4d4a45'),
    ];
    const random = createRandom(31);
    for (let n = 0; n < 46; n++) {
      const x = -16 + n * 0.72 + random();
      const tall = 3 + 4.5 * random();
      shapes.push(shape('ball', [x, tall * 0.42, -9 - 5 * random()], [1.6 + random() * 1.6, tall, 2], surface(n % 2 === 0 ? '#131c1c' : '#18231f')));
    }
    return shapes;
  })(),
  eye: [2.1, 1.5, 8.8],
  target: [0, 2.3, -2],
  fov: 56,
  sky: (x, y, z) => {
    const t = Math.max(0, y);
    const horizon = linear('#ffb184');
    const zenith = linear('#27407a');
    const [r, g, b] = mix(horizon, zenith, Math.min(1, t ** 0.55 * 1.15));
    const glow = Math.max(0, -0.5 * x - z - t) * 0.35;
    return [(r + glow) * 0.9, (g + glow * 0.5) * 0.9, (b + glow * 0.3) * 0.95];
  },
  exposure: 1.05,
};
