import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { createRandom } from './noise.js';

const width = 1280;
const height = 720;
const fps = 30;
const tau = Math.PI * 2;

const ribbons = [
  { color: '64,224,190', y: 0.42, reach: 0.1, waves: 1.1, turns: 1, phase: 0.2, thick: 190 },
  { color: '90,140,255', y: 0.5, reach: 0.13, waves: 1.5, turns: -1, phase: 1.9, thick: 230 },
  { color: '190,90,235', y: 0.58, reach: 0.11, waves: 0.9, turns: 1, phase: 3.4, thick: 210 },
  { color: '255,130,120', y: 0.66, reach: 0.08, waves: 1.7, turns: -1, phase: 5.1, thick: 150 },
];

const sparks = createSparks(110);

interface Spark {
  x: number;
  y: number;
  radius: number;
  rise: number;
  phase: number;
  color: string;
}

function createSparks(count: number): Spark[] {
  const random = createRandom(5);
  return Array.from({ length: count }, () => ({
    x: random() * width,
    y: random() * height,
    radius: 1.2 + 14 * random() ** 4,
    // Whole canvas heights per clip, so that the clip loops seamlessly.
    rise: 1 + Math.floor(random() * 2),
    phase: random() * tau,
    color: ['150,240,220', '190,200,255', '255,210,190'][Math.floor(random() * 3)] ?? '255,255,255',
  }));
}

/** Width of the small canvas of the ribbons, which is scaled up to smooth them. */
const columns = 320;

/** Draws waves of light with rising sparks. `time` is 0..1; 1 looks like 0. */
function drawFrame(ctx: SKRSContext2D, ribbonCanvas: Canvas, time: number): void {
  ctx.globalCompositeOperation = 'source-over';
  const ground = ctx.createLinearGradient(0, 0, 0, height);
  ground.addColorStop(0, '#050816');
  ground.addColorStop(0.6, '#0d1433');
  ground.addColorStop(1, '#1a1440');
  ctx.fillStyle = ground;
  ctx.fillRect(0, 0, width, height);
  ctx.globalCompositeOperation = 'lighter';
  const small = ribbonCanvas.getContext('2d');
  small.clearRect(0, 0, columns, height / 2);
  small.globalCompositeOperation = 'lighter';
  for (const ribbon of ribbons) {
    drawRibbon(small, ribbon, time);
  }
  ctx.imageSmoothingQuality = 'high';
  ctx.drawImage(ribbonCanvas, 0, 0, width, height);
  for (const spark of sparks) {
    drawSpark(ctx, spark, time);
  }
}

function drawRibbon(ctx: SKRSContext2D, ribbon: (typeof ribbons)[number], time: number): void {
  const turn = tau * time * ribbon.turns + ribbon.phase;
  const tallest = height / 2;
  for (let column = 0; column < columns; column++) {
    const along = tau * ribbon.waves * (column / columns);
    const y = tallest * (ribbon.y + ribbon.reach * Math.sin(along + turn) + ribbon.reach * 0.4 * Math.sin(along * 2.3 - 2 * turn));
    const glow = 0.5 + 0.5 * Math.sin(tau * 3 * (column / columns) + turn * 2);
    const tall = (ribbon.thick / 2) * (0.7 + 0.6 * glow);
    const gradient = ctx.createLinearGradient(0, y - tall, 0, y + 20);
    gradient.addColorStop(0, `rgba(${ribbon.color},0)`);
    gradient.addColorStop(0.7, `rgba(${ribbon.color},${0.1 + 0.12 * glow})`);
    gradient.addColorStop(0.86, `rgba(${ribbon.color},${0.34 + 0.22 * glow})`);
    gradient.addColorStop(1, `rgba(${ribbon.color},0)`);
    ctx.fillStyle = gradient;
    ctx.fillRect(column, y - tall, 1, tall + 20);
  }
}

function drawSpark(ctx: SKRSContext2D, spark: Spark, time: number): void {
  const y = (((spark.y - time * spark.rise * height) % height) + height) % height;
  const x = spark.x + 26 * Math.sin(tau * time + spark.phase);
  const edge = Math.min(1, y / 90, (height - y) / 90);
  const twinkle = (0.45 + 0.55 * Math.sin(tau * 2 * time + spark.phase) ** 2) * edge;
  const gradient = ctx.createRadialGradient(x, y, 0, x, y, spark.radius * 2.4);
  gradient.addColorStop(0, `rgba(${spark.color},${(spark.radius > 6 ? 0.3 : 0.9) * twinkle})`);
  gradient.addColorStop(0.4, `rgba(${spark.color},${0.22 * twinkle})`);
  gradient.addColorStop(1, `rgba(${spark.color},0)`);
  ctx.fillStyle = gradient;
  ctx.fillRect(x - spark.radius * 2.4, y - spark.radius * 2.4, spark.radius * 4.8, spark.radius * 4.8);
}

/** Encodes the clip with the ffmpeg program and the sound of a WAV file. */
export async function encodeAurora(path: string, seconds: number, soundPath: string): Promise<void> {
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', `${width}x${height}`, '-r', String(fps), '-i', 'pipe:0', '-i', soundPath];
  const output = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '17', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '160k', '-shortest', '-f', 'mp4', path];
  const ffmpeg = spawn('ffmpeg', ['-v', 'error', '-y', ...input, ...output], { stdio: ['pipe', 'ignore', 'pipe'] });
  let errors = '';
  ffmpeg.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ended = new Promise<void>((resolve, reject) => {
    ffmpeg.on('error', (error) => reject(new Error(`Starting ffmpeg, which encodes the demo's clip, failed: ${error.message}`)));
    ffmpeg.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`Encoding the demo's clip with ffmpeg failed: ${errors.trim() || `exit code ${code}`}`)),
    );
  });
  // A broken pipe is reported by ffmpeg's exit code.
  ffmpeg.stdin.on('error', () => undefined);
  await Promise.race([ended, writeFrames(ffmpeg.stdin, seconds * fps)]);
  await ended;
}

async function writeFrames(pipe: NodeJS.WritableStream, count: number): Promise<void> {
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d');
  const ribbonCanvas = createCanvas(columns, height / 2);
  for (let frame = 0; frame < count; frame++) {
    drawFrame(ctx, ribbonCanvas, frame / count);
    if (!pipe.write(canvas.data())) {
      await once(pipe, 'drain');
    }
  }
  pipe.end();
}
