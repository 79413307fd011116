import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Grade } from '../../script/index.js';
import { hasSize, writeFileAtomically } from '../canvas/sprite-file.js';
import type { Cube } from './cube-file.js';
import { type MapColor, sampleCube } from './sample-cube.js';
import { toneCurve } from './tone-curve.js';
import { whiteBalanceGains } from './white-balance.js';

/** Vertices along a side of the engine's tables. Tables of 2, 3, 5, 9, 17, 33 and 65 vertices are contained in it exactly. */
const SIDE = 65;
const HEADER_BYTES = 12;
const VERSION = 1;

/** A grade with the content of its LUT. */
export type FoldedGrade = Omit<Grade, 'lut'> & { lut?: { cube: Cube; amount: number } };

/** Computes a grade as one table, in the format of native/formats/color_table_file.h. */
export function foldGrade({ whiteBalance, curves, lut }: FoldedGrade): Buffer {
  const steps = [...(whiteBalance ? [balance(whiteBalance)] : []), ...(curves ? [bend(curves)] : []), ...(lut ? [blend(lut)] : [])];
  const file = Buffer.alloc(HEADER_BYTES + 6 * SIDE ** 3);
  file.write('FWCT', 'latin1');
  file.writeUInt32LE(VERSION, 4);
  file.writeUInt32LE(SIDE, 8);
  const color = new Float64Array(3);
  const values = new Uint16Array(file.buffer, file.byteOffset + HEADER_BYTES, 3 * SIDE ** 3);
  let at = 0;
  for (let red = 0; red < SIDE; red += 1) {
    for (let green = 0; green < SIDE; green += 1) {
      for (let blue = 0; blue < SIDE; blue += 1) {
        color[0] = red / (SIDE - 1);
        color[1] = green / (SIDE - 1);
        color[2] = blue / (SIDE - 1);
        for (const step of steps) step(color);
        for (let c = 0; c < 3; c += 1) values[at++] = Math.round(Math.min(Math.max(color[c] as number, 0), 1) * 65_535);
      }
    }
  }
  return file;
}

/** Stores a table in the folder under the hash of its content, unless it exists. Returns the path. */
export async function storeColorTable(folder: string, table: Buffer): Promise<string> {
  const path = join(folder, `${createHash('sha256').update(table).digest('hex').slice(0, 40)}.fwct`);
  if (!(await hasSize(path, table.length))) await writeFileAtomically(path, table);
  return path;
}

function balance(settings: NonNullable<Grade['whiteBalance']>): MapColor {
  const gains = whiteBalanceGains(settings);
  return (color) => {
    for (let c = 0; c < 3; c += 1) color[c] = Math.min((color[c] as number) * (gains[c] as number), 1);
  };
}

function bend(curves: NonNullable<Grade['curves']>): MapColor {
  const [red, green, blue, master] = [curves.red, curves.green, curves.blue, curves.master].map((points) => points && toneCurve(points));
  const channels = [red, green, blue];
  return (color) => {
    for (let c = 0; c < 3; c += 1) {
      const own = channels[c]?.(color[c] as number) ?? (color[c] as number);
      color[c] = master?.(own) ?? own;
    }
  };
}

function blend({ cube, amount }: { cube: Cube; amount: number }): MapColor {
  const map = sampleCube(cube);
  const before = new Float64Array(3);
  return (color) => {
    before.set(color);
    map(color);
    for (let c = 0; c < 3; c += 1) color[c] = (before[c] as number) + ((color[c] as number) - (before[c] as number)) * amount;
  };
}
