import { readTables } from './font-file.js';

/** Weight and style of a font file. */
export interface FontMetadata {
  /** The range of the weight axis; equal values for static fonts. */
  weight: { min: number; max: number };
  style: 'normal' | 'italic';
}

/** A font file cannot be used. The message is a predicate that follows the file's name: "is a damaged font file". */
export class UnusableFont extends Error {}

/** Size limits of a font file and of its decompressed tables. */
export const fontLimits = { fileBytes: 32 * 1024 * 1024, tableBytes: 128 * 1024 * 1024 };

const signatures: ReadonlyMap<string, string> = new Map([
  ['\0\u0001\0\0', 'ttf'],
  ['true', 'ttf'],
  ['OTTO', 'otf'],
  ['wOFF', 'woff'],
  ['wOF2', 'woff2'],
]);
/** Tables that every usable font has. */
const requiredTables = ['cmap', 'head', 'hhea', 'hmtx', 'maxp'];

/** Reads a TrueType, OpenType, WOFF or WOFF2 file, which is recognised by its signature. Throws UnusableFont. */
export function readFontMetadata(file: Buffer): FontMetadata {
  if (!signatures.has(file.toString('latin1', 0, 4)))
    throw new UnusableFont(`is not a font file: TrueType, OpenType, WOFF and WOFF2 are supported${guess(file)}`);
  let tables: Map<string, Buffer>;
  try {
    tables = readTables(file, fontLimits.tableBytes);
  } catch {
    throw new UnusableFont('is a damaged font file');
  }
  const missing = requiredTables.filter((tag) => (tables.get(tag)?.length ?? 0) === 0);
  if (missing.length > 0) throw new UnusableFont(`is a damaged font file: it lacks the table ${missing[0]}`);
  const os2 = tables.get('OS/2');
  const own = os2 !== undefined && os2.length >= 64 ? Math.min(1000, Math.max(1, os2.readUInt16BE(4))) : 400;
  const italic = os2 !== undefined && os2.length >= 64 && (os2.readUInt16BE(62) & 1) === 1;
  return { weight: weightAxis(tables.get('fvar')) ?? { min: own, max: own }, style: italic ? 'italic' : 'normal' };
}

function guess(file: Buffer): string {
  const start = file.toString('latin1', 0, 512).trimStart().toLowerCase();
  if (start.startsWith('<')) return '; the address leads to a web page';
  return /@font-face|@import/.test(start) ? '; the address leads to a stylesheet, not to a font file' : '';
}

function weightAxis(fvar: Buffer | undefined): FontMetadata['weight'] | undefined {
  if (fvar === undefined || fvar.length < 16) return undefined;
  const first = fvar.readUInt16BE(4);
  const [count, size] = [fvar.readUInt16BE(8), fvar.readUInt16BE(10)];
  for (let i = 0; i < Math.min(count, 64); i++) {
    const at = first + i * size;
    if (at + 16 > fvar.length) return undefined;
    if (fvar.toString('latin1', at, at + 4) !== 'wght') continue;
    return { min: Math.max(1, fvar.readInt32BE(at + 4) / 65_536), max: Math.min(1000, fvar.readInt32BE(at + 12) / 65_536) };
  }
  return undefined;
}
