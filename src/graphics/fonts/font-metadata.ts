import { readTables } from './font-file.js';

/** What a font file says of itself. */
export interface FontMetadata {
  /** Of a variable font the range that its weight axis has. */
  weight: { min: number; max: number };
  style: 'normal' | 'italic';
}

/** Why a file can not be drawn with, worded to follow its name. */
export class UnusableFont extends Error {}

export const fontLimits = { fileBytes: 32 * 1024 * 1024, tableBytes: 128 * 1024 * 1024 };

const signatures: ReadonlyMap<string, string> = new Map([
  ['\0\u0001\0\0', 'ttf'],
  ['true', 'ttf'],
  ['OTTO', 'otf'],
  ['wOFF', 'woff'],
  ['wOF2', 'woff2'],
]);
/** Without these nothing can be drawn, whatever the kind of outlines. */
const requiredTables = ['cmap', 'head', 'hhea', 'hmtx', 'maxp'];

/** Reads a TrueType, OpenType, WOFF or WOFF2 file; throws UnusableFont. The kind is told by the first bytes, never by the name. */
export function readFontMetadata(file: Buffer): FontMetadata {
  if (!signatures.has(file.toString('latin1', 0, 4))) throw new UnusableFont(`is no font: TrueType, OpenType, WOFF and WOFF2 can be used${guess(file)}`);
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
