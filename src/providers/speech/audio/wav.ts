import type { PcmAudio } from '../speech.js';

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;
const MAX_RATE = 192_000;

interface WavFormat {
  code: number;
  channels: number;
  sampleRate: number;
  bits: number;
}

/** Parses a WAV file (8 to 32 bit or float, mixed to mono); undefined for other files. An unset data length of a stream means the rest of the file. */
export function parseWav(file: Buffer): PcmAudio | undefined {
  if (file.length < 12 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  let format: WavFormat | undefined;
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4);
    const length = Math.min(file.readUInt32LE(at + 4), file.length - at - 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (name === 'fmt ' && length >= 16) format = parseFormat(body);
    if (name === 'data') return format === undefined ? undefined : decode(body, format);
    at += 8 + length + (length % 2);
  }
  return undefined;
}

function parseFormat(body: Buffer): WavFormat | undefined {
  const outer = body.readUInt16LE(0);
  const code = outer === EXTENSIBLE && body.length >= 26 ? body.readUInt16LE(24) : outer;
  const format = { code, channels: body.readUInt16LE(2), sampleRate: body.readUInt32LE(4), bits: body.readUInt16LE(14) };
  const isKnown = code === FLOAT ? format.bits === 32 : code === PCM && [8, 16, 24, 32].includes(format.bits);
  return isKnown && format.channels >= 1 && format.sampleRate >= 4000 && format.sampleRate <= MAX_RATE ? format : undefined;
}

function decode(body: Buffer, { code, channels, sampleRate, bits }: WavFormat): PcmAudio {
  const width = bits / 8;
  const count = Math.floor(body.length / (width * channels));
  const samples = new Float32Array(count);
  for (let i = 0; i < count; i += 1) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1) sum += sampleAt(body, (i * channels + channel) * width, code, bits);
    samples[i] = sum / channels;
  }
  return { sampleRate, samples };
}

function sampleAt(body: Buffer, at: number, code: number, bits: number): number {
  if (code === FLOAT) {
    const value = body.readFloatLE(at);
    return Number.isFinite(value) ? Math.max(-4, Math.min(4, value)) : 0;
  }
  if (bits === 8) return (body.readUInt8(at) - 128) / 128;
  return body.readIntLE(at, bits / 8) / 2 ** (bits - 1);
}

/** Parses 16-bit little-endian mono samples without a header. */
export function parsePcm16(body: Buffer, sampleRate: number): PcmAudio {
  const samples = new Float32Array(Math.floor(body.length / 2));
  for (let i = 0; i < samples.length; i += 1) samples[i] = body.readInt16LE(i * 2) / 32_768;
  return { sampleRate, samples };
}

/** Writes 16-bit mono. */
export function writeWav({ sampleRate, samples }: PcmAudio): Buffer {
  const file = Buffer.alloc(44 + samples.length * 2);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(PCM, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples.length * 2, 40);
  // A plain loop: iterators are slow for millions of samples.
  for (let i = 0; i < samples.length; i += 1) file.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round((samples[i] ?? 0) * 32_768))), 44 + i * 2);
  return file;
}
