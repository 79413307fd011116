import { writeFileSync } from 'node:fs';
import { pitchOf, type ToyToken } from './toy-model.js';

const RATE = 44_100;

/** A WAV file of two channels in which tokens are said, each for a fifth of a second from its time on. */
export function writeTones(path: string, seconds: number, said: ReadonlyArray<readonly [at: number, token: ToyToken]>, pitch = pitchOf): string {
  const samples = Math.round(seconds * RATE);
  const bytes = Buffer.alloc(44 + samples * 4);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(2, 22);
  bytes.writeUInt32LE(RATE, 24);
  bytes.writeUInt32LE(RATE * 4, 28);
  bytes.writeUInt16LE(4, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples * 4, 40);
  for (const [at, token] of said) {
    const from = Math.round(at * RATE);
    for (let i = 0; i < RATE / 5; i++) {
      // Swells, so that its ends sound in no other band.
      const sample = Math.round(12_000 * Math.sin((Math.PI * i) / (RATE / 5)) ** 0.5 * Math.sin((2 * Math.PI * pitch(token) * i) / RATE));
      bytes.writeInt16LE(sample, 44 + (from + i) * 4);
      bytes.writeInt16LE(sample, 46 + (from + i) * 4);
    }
  }
  writeFileSync(path, bytes);
  return path;
}
