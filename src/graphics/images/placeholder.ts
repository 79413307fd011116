import { createCanvas } from '../canvas/skia.js';
import type { FontCatalogue } from '../fonts/index.js';

/** A placeholder for an image or video. */
export interface Placeholder {
  width: number;
  height: number;
  /** First line. */
  title: string;
  /** Second line. */
  text: string;
  /** Duration of a video; absent: an image. */
  seconds?: number;
}

/** Draws a placeholder as a PNG; for a video, an animated PNG with two equal frames. */
export async function drawPlaceholder({ width, height, title, text, seconds }: Placeholder, fonts: FontCatalogue): Promise<Buffer> {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const unit = Math.min(width, height) / 18;
  context.fillStyle = '#39424e';
  context.fillRect(0, 0, width, height);
  context.strokeStyle = '#64707f';
  context.lineWidth = unit / 6;
  context.setLineDash([unit, unit / 2]);
  context.strokeRect(unit, unit, width - 2 * unit, height - 2 * unit);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const write = (words: string, size: number, colour: string, y: number): void => {
    const font = fonts.resolve({ families: ['Inter'], weight: 400, style: 'normal', text: words, lang: 'en' });
    context.fillStyle = colour;
    context.font = font.css(size);
    context.fillText(words, width / 2, y, width - 4 * unit);
  };
  write(title, unit * 1.3, '#e8ecf1', height / 2 - unit);
  write(text, unit, '#b4bec9', height / 2 + unit);
  const png = await canvas.encode('png');
  return seconds === undefined ? png : asStillVideo(png, seconds, { width, height });
}

const signatureBytes = 8;

/** Converts a PNG to an animated PNG with two equal frames of half the duration each. */
function asStillVideo(png: Buffer, seconds: number, size: { width: number; height: number }): Buffer {
  const chunks: Array<{ type: string; content: Buffer }> = [];
  for (let at = signatureBytes; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), content: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  const pixels = chunks.filter(({ type }) => type === 'IDAT').map(({ content }) => content);
  const header = chunks.find(({ type }) => type === 'IHDR')?.content ?? Buffer.alloc(0);
  const half = Math.max(1, Math.round(seconds * 50));
  const frame = (number: number): Buffer => chunk('fcTL', numbers([number, size.width, size.height, 0, 0], [half, 100], [0, 0]));
  const again = pixels.map((content, index) => chunk('fdAT', Buffer.concat([numbers([index + 2]), content])));
  const once = numbers([2, 1]);
  return Buffer.concat([
    png.subarray(0, signatureBytes),
    chunk('IHDR', header),
    chunk('acTL', once),
    frame(0),
    ...pixels.map((content) => chunk('IDAT', content)),
    frame(1),
    ...again,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function numbers(of32: readonly number[], of16: readonly number[] = [], of8: readonly number[] = []): Buffer {
  const bytes = Buffer.alloc(of32.length * 4 + of16.length * 2 + of8.length);
  let at = 0;
  for (const value of of32) at = bytes.writeUInt32BE(value, at);
  for (const value of of16) at = bytes.writeUInt16BE(value, at);
  for (const value of of8) at = bytes.writeUInt8(value, at);
  return bytes;
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  return Buffer.concat([numbers([content.length]), body, numbers([crc32(body)])]);
}

/** CRC-32 of PNG chunks; zlib.crc32() is not available in early releases of Node 20. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
