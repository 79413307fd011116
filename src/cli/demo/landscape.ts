import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { createRandom, createRidge } from './noise.js';

/** Colours and objects of a landscape. */
export interface Daylight {
  seed: number;
  /** Sky from the zenith to the horizon. */
  sky: string[];
  /** Sun or moon: centre as fractions of the image, radius in pixels. */
  light: { x: number; y: number; radius: number; color: string; glow: string; glowRadius: number };
  /** Colours of the farthest and the nearest ridge. */
  far: Rgb;
  near: Rgb;
  /** Colour of the haze in the valleys. */
  haze: Rgb;
  stars: number;
  clouds: { count: number; color: string };
  /** Height of the water line as a fraction of the image; undefined: no lake. */
  lake?: number;
}

type Rgb = [number, number, number];

const width = 2400;
const height = 1600;
const ridges = 7;

/** The three landscapes of the examples. */
export const daylights = {
  dawn: {
    seed: 11,
    sky: ['#27427c', '#5c6fae', '#b58bb4', '#f2a88f', '#ffd9a3', '#ffeecb'],
    light: { x: 0.8, y: 0.415, radius: 74, color: '#fff6dc', glow: '255,226,170', glowRadius: 900 },
    far: [201, 160, 176],
    near: [30, 29, 58],
    haze: [255, 205, 170],
    stars: 60,
    clouds: { count: 16, color: '255,214,196' },
  },
  dusk: {
    seed: 29,
    sky: ['#141a3f', '#3a2a66', '#8a3b78', '#e05a5f', '#ff9a56', '#ffd07a'],
    light: { x: 0.36, y: 0.45, radius: 92, color: '#ffe9b0', glow: '255,160,90', glowRadius: 1000 },
    far: [176, 92, 116],
    near: [22, 14, 36],
    haze: [255, 142, 96],
    stars: 240,
    clouds: { count: 22, color: '255,140,110' },
    lake: 0.735,
  },
  night: {
    seed: 47,
    sky: ['#040818', '#0a1534', '#132a57', '#1f4a78', '#3b7a94', '#7fb7ae'],
    light: { x: 0.74, y: 0.24, radius: 62, color: '#fdfbf0', glow: '190,220,255', glowRadius: 620 },
    far: [48, 92, 124],
    near: [5, 10, 24],
    haze: [92, 156, 170],
    stars: 1500,
    clouds: { count: 7, color: '130,180,200' },
  },
} satisfies Record<string, Daylight>;

/** Draws a mountain landscape, from the sky to the nearest trees. Deterministic. */
export function drawLandscape(daylight: Daylight): Canvas {
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d');
  drawSky(ctx, daylight);
  drawStars(ctx, daylight);
  drawClouds(ctx, daylight);
  drawLight(ctx, daylight);
  for (let index = 0; index < ridges; index++) {
    drawRidge(ctx, daylight, index);
  }
  if (daylight.lake !== undefined) {
    drawLake(ctx, canvas, daylight, daylight.lake);
  }
  drawShore(ctx, daylight);
  drawVignette(ctx);
  addGrain(ctx, daylight.seed);
  return canvas;
}

function drawSky(ctx: SKRSContext2D, { sky }: Daylight): void {
  const gradient = ctx.createLinearGradient(0, 0, 0, height * 0.68);
  sky.forEach((color, index) => {
    gradient.addColorStop(index / (sky.length - 1), color);
  });
  ctx.fillStyle = gradient;
  ctx.fillRect(0, 0, width, height);
}

function drawStars(ctx: SKRSContext2D, { seed, stars }: Daylight): void {
  const random = createRandom(seed * 7);
  for (let index = 0; index < stars; index++) {
    const x = random() * width;
    const y = random() ** 1.15 * height * 0.58;
    const size = 0.6 + random() ** 6 * 3.4;
    const fade = 1 - y / (height * 0.6);
    ctx.globalAlpha = (0.25 + 0.75 * random()) * fade;
    ctx.fillStyle = random() < 0.2 ? '#ffe9cf' : '#f2f6ff';
    ctx.beginPath();
    ctx.arc(x, y, size, 0, Math.PI * 2);
    ctx.fill();
  }
  ctx.globalAlpha = 1;
}

/** Draws long thin streaks of many faint ellipses. */
function drawClouds(ctx: SKRSContext2D, { seed, clouds }: Daylight): void {
  const random = createRandom(seed * 13);
  for (let index = 0; index < clouds.count; index++) {
    const centerX = random() * width;
    const centerY = height * (0.12 + 0.36 * random());
    const reach = 240 + random() * 520;
    const strength = 0.003 + 0.008 * random();
    for (let puff = 0; puff < 46; puff++) {
      const along = (random() + random() + random()) / 1.5 - 1;
      const x = centerX + along * reach;
      const y = centerY + (random() + random() - 1) * 46 + along * along * 18;
      const radius = (40 + random() * 170) * (1 - 0.75 * Math.abs(along));
      ctx.save();
      ctx.translate(x, y);
      ctx.scale(2.6, 0.22);
      const gradient = ctx.createRadialGradient(0, 0, 0, 0, 0, radius);
      gradient.addColorStop(0, `rgba(${clouds.color},${strength * 3})`);
      gradient.addColorStop(1, `rgba(${clouds.color},0)`);
      ctx.fillStyle = gradient;
      ctx.fillRect(-radius, -radius, radius * 2, radius * 2);
      ctx.restore();
    }
  }
}

function drawLight(ctx: SKRSContext2D, { light }: Daylight): void {
  const x = light.x * width;
  const y = light.y * height;
  const glow = ctx.createRadialGradient(x, y, 0, x, y, light.glowRadius);
  glow.addColorStop(0, `rgba(${light.glow},0.85)`);
  glow.addColorStop(0.12, `rgba(${light.glow},0.45)`);
  glow.addColorStop(0.4, `rgba(${light.glow},0.14)`);
  glow.addColorStop(1, `rgba(${light.glow},0)`);
  ctx.fillStyle = glow;
  ctx.fillRect(0, 0, width, height);
  ctx.shadowColor = light.color;
  ctx.shadowBlur = 60;
  ctx.fillStyle = light.color;
  ctx.beginPath();
  ctx.arc(x, y, light.radius, 0, Math.PI * 2);
  ctx.fill();
  ctx.shadowBlur = 0;
}

const mix = (from: Rgb, to: Rgb, t: number): Rgb => [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t, from[2] + (to[2] - from[2]) * t];
const css = (color: Rgb, alpha = 1): string => `rgba(${color.map(Math.round).join(',')},${alpha})`;

/** Far ridges are hazy crests; near ones are dark hills with trees. */
function drawRidge(ctx: SKRSContext2D, daylight: Daylight, index: number): void {
  const depth = index / (ridges - 1);
  const heightAt = createRidge(daylight.seed * 100 + index, 8, 0.85 - 0.6 * depth);
  const base = height * (0.56 + 0.36 * depth ** 1.25);
  const amplitude = height * (0.15 - 0.07 * depth);
  const frequency = 2.2 + 1.4 * depth;
  const crest = (x: number): number => base - amplitude * heightAt((x / width) * frequency + index * 9.1);
  const color = mix(daylight.far, daylight.near, depth ** 0.85);
  const gradient = ctx.createLinearGradient(0, base - amplitude, 0, base + height * 0.2);
  gradient.addColorStop(0, css(color));
  gradient.addColorStop(0.35, css(mix(color, daylight.haze, 0.06 + 0.1 * (1 - depth))));
  gradient.addColorStop(1, css(mix(color, daylight.haze, 0.66 * (1 - depth * 0.8))));
  ctx.fillStyle = gradient;
  ctx.beginPath();
  ctx.moveTo(0, height);
  for (let x = 0; x <= width; x += 2) {
    ctx.lineTo(x, crest(x));
  }
  ctx.lineTo(width, height);
  ctx.closePath();
  ctx.fill();
  if (depth > 0.6) {
    drawTrees(ctx, crest, css(mix(color, daylight.near, 0.45)), daylight.seed + index, depth);
  }
}

/** Draws firs along a crest, in groves. */
function drawTrees(ctx: SKRSContext2D, crest: (x: number) => number, color: string, seed: number, depth: number): void {
  const random = createRandom(seed * 31);
  const grove = createRidge(seed * 17, 3, 0);
  ctx.fillStyle = color;
  const size = 14 + 62 * (depth - 0.55) ** 1.1 * 2;
  for (let x = -20; x < width + 20; x += size * (0.1 + 0.42 * random() ** 1.4)) {
    if (grove((x / width) * 7) + random() * 0.5 < 0.02) {
      continue;
    }
    const tall = size * (0.45 + 1.25 * random() ** 1.5);
    drawFir(ctx, x, crest(x) + tall * 0.12, tall, random);
  }
}

function drawFir(ctx: SKRSContext2D, x: number, foot: number, tall: number, random: () => number): void {
  const tiers = 7;
  const spread = tall * (0.17 + 0.05 * random());
  ctx.beginPath();
  ctx.moveTo(x, foot - tall);
  for (let tier = 1; tier <= tiers; tier++) {
    const y = foot - tall + (tall * tier) / tiers;
    const reach = (spread * tier) / tiers;
    ctx.lineTo(x + reach * (0.85 + 0.3 * random()), y);
    ctx.lineTo(x + reach * 0.42, y - tall * 0.02);
  }
  for (let tier = tiers; tier >= 1; tier--) {
    const y = foot - tall + (tall * tier) / tiers;
    const reach = (spread * tier) / tiers;
    ctx.lineTo(x - reach * 0.42, y - tall * 0.02);
    ctx.lineTo(x - reach * (0.85 + 0.3 * random()), y);
    ctx.lineTo(x - (reach - spread / tiers) * 0.42, y - tall / tiers);
  }
  ctx.closePath();
  ctx.fill();
}

/** Mirrors the image above the water line row by row with ripples. */
function drawLake(ctx: SKRSContext2D, canvas: Canvas, daylight: Daylight, line: number): void {
  const top = Math.round(line * height);
  const copy = createCanvas(width, top);
  copy.getContext('2d').drawImage(canvas, 0, 0);
  const ripple = createRidge(daylight.seed * 3, 4, 0);
  for (let y = top; y < height; y += 2) {
    const depth = (y - top) / (height - top);
    const source = Math.max(0, top - 2 - (y - top) * 1.32);
    const sway = ripple((y - top) ** 0.72 * 0.9) * (3 + 26 * depth);
    ctx.drawImage(copy, 0, source, width, 2, sway, y, width, 2);
    ctx.drawImage(copy, 0, source, 40, 2, sway - 40, y, 40, 2);
    ctx.drawImage(copy, width - 40, source, 40, 2, sway + width, y, 40, 2);
  }
  const water = ctx.createLinearGradient(0, top, 0, height);
  water.addColorStop(0, css(daylight.haze, 0.34));
  water.addColorStop(0.12, css(daylight.near, 0.1));
  water.addColorStop(1, css(daylight.near, 0.72));
  ctx.fillStyle = water;
  ctx.fillRect(0, top, width, height - top);
  drawGlitter(ctx, daylight, top);
}

function drawGlitter(ctx: SKRSContext2D, { seed, light }: Daylight, top: number): void {
  const random = createRandom(seed * 5);
  ctx.fillStyle = light.color;
  for (let index = 0; index < 900; index++) {
    const depth = random() ** 1.5;
    const y = top + depth * (height - top) * 0.9;
    const spread = 40 + depth * 330;
    const x = light.x * width + (random() + random() + random() - 1.5) * spread;
    ctx.globalAlpha = 0.5 * random() * (1 - depth);
    ctx.fillRect(x, y, 8 + 46 * random() * (0.3 + depth), 1.5 + 2 * depth);
  }
  ctx.globalAlpha = 1;
}

/** Draws the dark slope in the foreground, low on one side to leave room for captions. */
function drawShore(ctx: SKRSContext2D, daylight: Daylight): void {
  const heightAt = createRidge(daylight.seed * 61, 6, 0.1);
  const crest = (x: number): number => height * (0.985 - 0.1 * (x / width) ** 2.2) - 26 * heightAt((x / width) * 3);
  ctx.fillStyle = css(mix(daylight.near, [0, 0, 0], 0.45));
  ctx.beginPath();
  ctx.moveTo(0, height);
  for (let x = 0; x <= width; x += 3) {
    ctx.lineTo(x, crest(x));
  }
  ctx.lineTo(width, height);
  ctx.closePath();
  ctx.fill();
  const random = createRandom(daylight.seed * 71);
  for (let x = width * 0.62; x < width + 60; x += 34 + 60 * random()) {
    const tall = 120 + 330 * random() * ((x / width - 0.5) * 1.7);
    drawFir(ctx, x, crest(Math.min(x, width)) + 12, tall, random);
  }
}

function drawVignette(ctx: SKRSContext2D): void {
  const gradient = ctx.createRadialGradient(width / 2, height * 0.48, height * 0.55, width / 2, height * 0.5, width * 0.72);
  gradient.addColorStop(0, 'rgba(0,0,0,0)');
  gradient.addColorStop(1, 'rgba(0,0,0,0.34)');
  ctx.fillStyle = gradient;
  ctx.fillRect(0, 0, width, height);
}

/** Adds noise, which avoids banding of the sky in encoded video. */
function addGrain(ctx: SKRSContext2D, seed: number): void {
  const image = ctx.getImageData(0, 0, width, height);
  const pixels = image.data;
  let state = seed * 2654435761;
  for (let offset = 0; offset < pixels.length; offset += 4) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const grain = ((state >>> 24) - 127.5) / 32;
    pixels[offset] = (pixels[offset] ?? 0) + grain;
    pixels[offset + 1] = (pixels[offset + 1] ?? 0) + grain;
    pixels[offset + 2] = (pixels[offset + 2] ?? 0) + grain;
  }
  ctx.putImageData(image, 0, 0);
}
