import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { createRandom } from '../noise.js';

/** Pixels of a side; the images are square and so serve wide and tall videos. */
const size = 1440;

/** Two-dimensional value noise of several octaves, 0..1. */
function createClouds(seed: number): (x: number, y: number) => number {
  const random = createRandom(seed);
  const values = Float32Array.from({ length: 65536 }, random);
  const smooth = (t: number): number => t * t * (3 - 2 * t);
  const cell = (x: number, y: number): number => values[((y & 255) << 8) | (x & 255)] ?? 0;
  const octave = (x: number, y: number): number => {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const [u, v] = [smooth(x - left), smooth(y - top)];
    const upper = cell(left, top) + (cell(left + 1, top) - cell(left, top)) * u;
    const lower = cell(left, top + 1) + (cell(left + 1, top + 1) - cell(left, top + 1)) * u;
    return upper + (lower - upper) * v;
  };
  return (x, y) => {
    let [sum, weight] = [0, 0.5];
    for (let n = 0; n < 7; n++) {
      sum += weight * octave(x * 2 ** n + n * 17.3, y * 2 ** n + n * 9.1);
      weight *= 0.52;
    }
    return sum;
  };
}

type Rgb = readonly [number, number, number];

const blend = (a: Rgb, b: Rgb, t: number): Rgb => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];

/** Sets every pixel of a new canvas, with fine grain against banding. */
function paintPixels(colorAt: (u: number, v: number) => Rgb): Canvas {
  const canvas = createCanvas(size, size);
  const context = canvas.getContext('2d');
  const image = context.createImageData(size, size);
  for (let pixel = 0; pixel < size * size; pixel++) {
    const color = colorAt((pixel % size) / size, Math.floor(pixel / size) / size);
    for (let c = 0; c < 3; c++) image.data[pixel * 4 + c] = color[c] ?? 0;
    image.data[pixel * 4 + 3] = 255;
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

function addGrain(canvas: Canvas, seed: number): Canvas {
  const random = createRandom(seed);
  const context = canvas.getContext('2d');
  const image = context.getImageData(0, 0, size, size);
  for (let at = 0; at < image.data.length; at += 4) {
    const grain = (random() + random() - 1) * 6;
    for (let c = 0; c < 3; c++) image.data[at + c] = (image.data[at + c] ?? 0) + grain;
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

interface SkyColors {
  seed: number;
  zenith: Rgb;
  horizon: Rgb;
  lit: Rgb;
  shade: Rgb;
  /** Share of the sky that clouds cover, 0..1. */
  cover: number;
}

/** Colours of the skies of the examples. */
export const skies = {
  day: { seed: 3, zenith: [38, 98, 190], horizon: [158, 204, 238], lit: [255, 252, 246], shade: [138, 160, 192], cover: 0.5 },
  evening: { seed: 8, zenith: [44, 48, 104], horizon: [255, 158, 110], lit: [255, 190, 150], shade: [92, 62, 110], cover: 0.54 },
  rain: { seed: 15, zenith: [46, 58, 74], horizon: [120, 136, 150], lit: [168, 178, 188], shade: [52, 62, 76], cover: 0.8 },
} satisfies Record<string, SkyColors>;

/** Draws clouds in perspective, lit from the upper left. */
export function drawSky({ seed, zenith, horizon, lit, shade, cover }: SkyColors): Canvas {
  const clouds = createClouds(seed);
  return addGrain(
    paintPixels((u, v) => {
      const far = 1 / (1.18 - v * 0.95);
      const [x, y] = [(u - 0.5) * far * 3 + 40, far * 4.2];
      const warp = clouds(x * 0.6 + 9, y * 0.6) - 0.5;
      const dense = (px: number, py: number): number => clouds(px + warp * 1.4, py + warp);
      const here = dense(x, y);
      const edge = 0.86 - cover * 0.72;
      const amount = Math.min(1, Math.max(0, (here - edge) / 0.2));
      const light = Math.min(1, Math.max(0, 0.62 + (here - dense(x - 0.16, y + 0.2)) * 3.4 - amount * 0.16));
      const sky = blend(zenith, horizon, v ** 1.3);
      const cloud = blend(blend(shade, lit, light), horizon, Math.max(0, v - 0.55) * 0.9);
      return blend(sky, cloud, amount * amount * (3 - 2 * amount) * 0.96);
    }),
    seed,
  );
}

/** A disc out of focus: even, with a brighter rim. */
function drawBokeh(context: SKRSContext2D, x: number, y: number, radius: number, color: string, alpha: number): void {
  const gradient = context.createRadialGradient(x, y, 0, x, y, radius);
  gradient.addColorStop(0, `rgba(${color},${alpha * 0.62})`);
  gradient.addColorStop(0.82, `rgba(${color},${alpha * 0.74})`);
  gradient.addColorStop(0.93, `rgba(${color},${alpha})`);
  gradient.addColorStop(1, `rgba(${color},0)`);
  context.fillStyle = gradient;
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}

function fillDown(context: SKRSContext2D, colors: readonly string[], top = 0, height = size): void {
  const gradient = context.createLinearGradient(0, top, 0, top + height);
  colors.forEach((color, n) => {
    gradient.addColorStop(n / (colors.length - 1), color);
  });
  context.fillStyle = gradient;
  context.fillRect(0, top, size, height);
}

/** Draws a canvas again, blurred. */
function blurred(source: Canvas, radius: number): Canvas {
  const canvas = createCanvas(size, size);
  const context = canvas.getContext('2d');
  context.filter = `blur(${radius}px)`;
  // Larger, so that the transparent surroundings do not darken the edges.
  const margin = radius * 3;
  context.drawImage(source, -margin, -margin, size + 2 * margin, size + 2 * margin);
  return canvas;
}

function drawTowers(context: SKRSContext2D, random: () => number, foot: number, row: number): void {
  for (let x = -40; x < size + 40; ) {
    const width = 60 + 110 * random();
    const tall = (150 + 420 * random() ** 1.6) * (1 - 0.22 * row);
    const shade = 16 + row * -4;
    context.fillStyle = `rgb(${shade},${shade + 6},${shade + 22})`;
    context.fillRect(x, foot - tall, width, tall + 80);
    const colors = ['255,214,150', '255,190,110', '190,216,255', '255,232,190'];
    for (let wy = foot - tall + 14; wy < foot - 8; wy += 19) {
      for (let wx = x + 8; wx < x + width - 10; wx += 15) {
        if (random() > 0.38) continue;
        context.fillStyle = `rgba(${colors[Math.floor(random() * colors.length)]},${0.25 + 0.7 * random()})`;
        context.fillRect(wx, wy, 8, 10);
      }
    }
    x += width + 6 + 24 * random();
  }
}

/** A city at the water after sunset, with lights out of focus in front. */
export function drawCity(): Canvas {
  const random = createRandom(27);
  const sharp = createCanvas(size, size);
  const context = sharp.getContext('2d');
  const shore = size * 0.62;
  fillDown(context, ['#0b1230', '#1c2452', '#4a3a6e', '#a8587a', '#f08a6a'], 0, shore);
  for (const row of [0, 1]) drawTowers(context, random, shore, row);
  context.save();
  context.translate(0, shore * 2);
  context.scale(1, -1);
  context.filter = 'blur(5px)';
  context.drawImage(sharp, 0, 0, size, shore, 0, 0, size, shore);
  context.restore();
  fillDown(context, ['rgba(8,12,34,0.25)', 'rgba(6,9,26,0.86)'], shore, size - shore);
  const canvas = blurred(sharp, 2.4);
  const to = canvas.getContext('2d');
  to.globalCompositeOperation = 'lighter';
  for (let n = 0; n < 70; n++) {
    const color = ['255,190,110', '255,140,90', '140,190,255', '255,110,140'][n % 4] ?? '255,255,255';
    drawBokeh(to, random() * size, size * (0.66 + 0.36 * random()), 14 + 52 * random() ** 2, color, 0.1 + 0.22 * random());
  }
  return addGrain(canvas, 5);
}

/** A concert: beams of light in haze over the heads of a crowd. */
export function drawStage(): Canvas {
  const random = createRandom(41);
  const light = createCanvas(size, size);
  const context = light.getContext('2d');
  fillDown(context, ['#0a0618', '#2a0f4a', '#7a1f6a', '#e0507a', '#ffb27a', '#3a1030']);
  context.globalCompositeOperation = 'lighter';
  for (let n = 0; n < 16; n++) {
    const [x, lean, wide] = [size * (0.03 + 0.94 * (n / 15)), (random() - 0.5) * 900, 60 + 90 * random()];
    const color = ['120,140,255', '255,90,170', '255,190,120', '110,230,255'][n % 4] ?? '255,255,255';
    const gradient = context.createLinearGradient(x, 60, x + lean, size * 0.8);
    gradient.addColorStop(0, `rgba(${color},0.75)`);
    gradient.addColorStop(0.25, `rgba(${color},0.26)`);
    gradient.addColorStop(1, `rgba(${color},0)`);
    context.fillStyle = gradient;
    context.beginPath();
    context.moveTo(x - 6, 60);
    context.lineTo(x + 6, 60);
    context.lineTo(x + lean + wide, size * 0.82);
    context.lineTo(x + lean - wide, size * 0.82);
    context.fill();
  }
  const canvas = blurred(light, 9);
  const to = canvas.getContext('2d');
  const haze = drawHaze();
  to.globalCompositeOperation = 'soft-light';
  to.globalAlpha = 0.8;
  to.drawImage(haze, 0, 0);
  to.globalAlpha = 1;
  to.globalCompositeOperation = 'lighter';
  for (let n = 0; n < 16; n++) drawBokeh(to, size * (0.03 + 0.94 * (n / 15)), 58, 34, '255,240,255', 0.75);
  for (let n = 0; n < 60; n++) drawBokeh(to, random() * size, size * (0.1 + 0.6 * random()), 3 + 16 * random() ** 3, '255,220,235', 0.3 * random());
  to.globalCompositeOperation = 'source-over';
  for (const row of [0, 1, 2]) drawCrowd(to, random, row);
  return addGrain(canvas, 6);
}

function drawHaze(): Canvas {
  const clouds = createClouds(77);
  return paintPixels((u, v) => {
    const tone = 255 * Math.min(1, Math.max(0, (clouds(u * 3, v * 4) - 0.25) * 1.5));
    return [tone, tone, tone];
  });
}

function drawCrowd(context: SKRSContext2D, random: () => number, row: number): void {
  const scale = 0.7 + row * 0.45;
  const foot = size * (0.84 + row * 0.075);
  const shade = 26 - row * 11;
  context.filter = row === 2 ? 'blur(3px)' : 'blur(1.5px)';
  context.fillStyle = `rgb(${shade + 14},${Math.max(2, shade - 12)},${shade + 8})`;
  context.strokeStyle = context.fillStyle;
  context.lineCap = 'round';
  for (let x = -30; x < size + 60; x += (46 + 30 * random()) * scale) {
    const top = foot - 30 * random() * scale;
    context.beginPath();
    context.ellipse(x, top, 21 * scale, 27 * scale, 0, 0, Math.PI * 2);
    context.fill();
    context.beginPath();
    context.ellipse(x, top + 84 * scale, 50 * scale, 66 * scale, 0, 0, Math.PI * 2);
    context.fill();
    if (random() > 0.42) continue;
    const side = random() < 0.5 ? -1 : 1;
    context.lineWidth = 15 * scale;
    context.beginPath();
    context.moveTo(x + side * 38 * scale, top + 46 * scale);
    context.quadraticCurveTo(x + side * 62 * scale, top - 10 * scale, x + side * (30 + 30 * random()) * scale, top - (70 + 50 * random()) * scale);
    context.stroke();
  }
  context.fillRect(0, foot + 70 * scale, size, size);
  context.filter = 'none';
}

/** A football ground at night: floodlights, stands and the pitch. */
export function drawStadium(): Canvas {
  const random = createRandom(63);
  const sharp = createCanvas(size, size);
  const context = sharp.getContext('2d');
  const edge = size * 0.6;
  fillDown(context, ['#050a18', '#0d1c38', '#1d3a5c'], 0, edge);
  for (let n = 0; n < 15000; n++) {
    const v = random();
    const y = size * 0.36 + v * (edge - size * 0.36) - 34 * Math.sin((Math.PI * n * 7.13) % Math.PI);
    const tone = 40 + 120 * random() ** 2;
    context.fillStyle = `rgba(${tone + 20},${tone + 24},${tone + 40},0.8)`;
    context.fillRect(random() * size, y, 5, 6);
  }
  fillDown(context, ['#16381f', '#2c6a35', '#1f5429', '#12331a'], edge, size - edge);
  for (let n = 0; n < 9; n++) {
    const [near, far] = [(k: number): number => size * (-0.9 + k * 0.31), (k: number): number => size * (0.08 + k * 0.094)];
    context.fillStyle = n % 2 === 0 ? 'rgba(255,255,255,0.055)' : 'rgba(0,0,0,0.07)';
    context.beginPath();
    context.moveTo(far(n), edge);
    context.lineTo(far(n + 1), edge);
    context.lineTo(near(n + 1), size);
    context.lineTo(near(n), size);
    context.fill();
  }
  context.strokeStyle = 'rgba(240,255,240,0.75)';
  context.lineWidth = 7;
  context.beginPath();
  context.ellipse(size / 2, size * 0.79, size * 0.3, size * 0.075, 0, 0, Math.PI * 2);
  context.moveTo(0, size * 0.79);
  context.lineTo(size, size * 0.79);
  context.stroke();
  const canvas = blurred(sharp, 5);
  const to = canvas.getContext('2d');
  to.globalCompositeOperation = 'lighter';
  for (const [x, y] of [
    [0.12, 0.17],
    [0.37, 0.12],
    [0.63, 0.12],
    [0.88, 0.17],
  ] as const) {
    const glow = to.createRadialGradient(x * size, y * size, 0, x * size, y * size, size * 0.42);
    glow.addColorStop(0, 'rgba(210,230,255,0.6)');
    glow.addColorStop(0.2, 'rgba(150,190,255,0.18)');
    glow.addColorStop(1, 'rgba(120,170,255,0)');
    to.fillStyle = glow;
    to.fillRect(0, 0, size, size);
    for (let n = 0; n < 15; n++) drawBokeh(to, x * size + ((n % 5) - 2) * 30, y * size + (Math.floor(n / 5) - 1) * 30, 17, '240,248,255', 0.85);
  }
  return addGrain(canvas, 7);
}

/** A street map of a harbour town. */
export function drawMap(): Canvas {
  const random = createRandom(19);
  const canvas = createCanvas(size, size);
  const context = canvas.getContext('2d');
  context.fillStyle = '#e9e6de';
  context.fillRect(0, 0, size, size);
  const area = (color: string, points: ReadonlyArray<readonly [number, number]>): void => {
    context.fillStyle = color;
    context.beginPath();
    points.forEach(([x, y], n) => {
      const [px, py] = points[(n + points.length - 1) % points.length] ?? [0, 0];
      if (n === 0) context.moveTo(((x + px) / 2) * size, ((y + py) / 2) * size);
      const [nx, ny] = points[(n + 1) % points.length] ?? [0, 0];
      context.quadraticCurveTo(x * size, y * size, ((x + nx) / 2) * size, ((y + ny) / 2) * size);
    });
    context.fill();
  };
  area('#c9dfbf', [
    [0.05, 0.1],
    [0.3, 0.06],
    [0.36, 0.26],
    [0.2, 0.36],
    [0.04, 0.28],
  ]);
  area('#c9dfbf', [
    [0.62, 0.62],
    [0.8, 0.58],
    [0.86, 0.76],
    [0.7, 0.82],
  ]);
  const street = (width: number, color: string, x1: number, y1: number, x2: number, y2: number, bend: number): void => {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.lineCap = 'round';
    context.beginPath();
    context.moveTo(x1 * size, y1 * size);
    context.quadraticCurveTo(((x1 + x2) / 2 + bend) * size, ((y1 + y2) / 2 + bend) * size, x2 * size, y2 * size);
    context.stroke();
  };
  for (let n = -4; n < 26; n++) {
    const at = n * 0.055 + 0.008 * random();
    street(9, '#ffffff', -0.1, at, 1.1, at - 0.26, 0.03);
    street(9, '#ffffff', at - 0.1, -0.1, at + 0.16, 1.1, -0.02);
  }
  for (const [width, color] of [
    [30, '#e2b873'],
    [22, '#ffd98f'],
  ] as const) {
    street(width, color, -0.1, 0.62, 1.1, 0.3, 0.03);
    street(width, color, 0.4, -0.1, 0.56, 1.1, 0.05);
  }
  area('#a9cfe0', [
    [-0.2, 0.84],
    [0.2, 0.78],
    [0.44, 0.9],
    [0.66, 0.94],
    [0.9, 0.86],
    [1.2, 0.9],
    [1.2, 1.3],
    [-0.2, 1.3],
  ]);
  area('#a9cfe0', [
    [0.9, -0.1],
    [0.82, 0.14],
    [0.9, 0.3],
    [1.2, 0.24],
    [1.2, -0.1],
  ]);
  return canvas;
}
