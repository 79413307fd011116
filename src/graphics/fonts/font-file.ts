import { readFileSync } from 'node:fs';
import { brotliDecompressSync, inflateSync } from 'node:zlib';

/** Font metrics that the canvas API lacks, in em; up is positive. */
export interface LineMetrics {
  /** Centre of the stroke. */
  underlinePosition: number;
  underlineThickness: number;
  strikePosition: number;
  strikeThickness: number;
  capHeight: number;
}

/** Metrics for fonts without a known file; typical of text fonts. */
export const defaultLineMetrics: LineMetrics = {
  underlinePosition: -0.125,
  underlineThickness: 0.066,
  strikePosition: 0.3,
  strikeThickness: 0.066,
  capHeight: 0.72,
};

// The 63 table tags that WOFF2 encodes as numbers.
const knownTags =
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'.split(
    ' ',
  );

function readBase128(file: Buffer, start: number): { value: number; next: number } {
  let value = 0;
  for (let next = start; next < start + 5; next++) {
    const byte = file.readUInt8(next);
    value = value * 128 + (byte & 0x7f);
    if ((byte & 0x80) === 0) return { value, next: next + 1 };
  }
  throw new RangeError('bad UIntBase128');
}

function woff2Tables(file: Buffer, maxBytes: number): Map<string, Buffer> {
  const entries: Array<{ tag: string; length: number }> = [];
  let at = 48;
  for (let i = 0; i < file.readUInt16BE(12); i++) {
    const flags = file.readUInt8(at++);
    let tag = knownTags[flags & 0x3f];
    if (tag === undefined) {
      tag = file.toString('latin1', at, at + 4);
      at += 4;
    }
    let length = readBase128(file, at);
    at = length.next;
    const version = flags >> 6;
    const transformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0;
    if (transformed) {
      length = readBase128(file, at);
      at = length.next;
    }
    entries.push({ tag, length: length.value });
  }
  const bytes = brotliDecompressSync(file.subarray(at, at + file.readUInt32BE(20)), { maxOutputLength: maxBytes });
  let offset = 0;
  return new Map(
    entries.map(({ tag, length }) => {
      offset += length;
      return [tag, bytes.subarray(offset - length, offset)];
    }),
  );
}

function sfntTables(file: Buffer): Map<string, Buffer> {
  const tables = new Map<string, Buffer>();
  for (let i = 0; i < file.readUInt16BE(4); i++) {
    const entry = 12 + i * 16;
    const [offset, length] = [file.readUInt32BE(entry + 8), file.readUInt32BE(entry + 12)];
    if (offset + length > file.length) throw new RangeError('a table lies outside the file');
    tables.set(file.toString('latin1', entry, entry + 4), file.subarray(offset, offset + length));
  }
  return tables;
}

function woffTables(file: Buffer, maxBytes: number): Map<string, Buffer> {
  const tables = new Map<string, Buffer>();
  let left = maxBytes;
  for (let i = 0; i < file.readUInt16BE(12); i++) {
    const entry = 44 + i * 20;
    const [offset, packed, length] = [file.readUInt32BE(entry + 4), file.readUInt32BE(entry + 8), file.readUInt32BE(entry + 12)];
    const bytes = file.subarray(offset, offset + packed);
    tables.set(file.toString('latin1', entry, entry + 4), packed < length ? inflateSync(bytes, { maxOutputLength: left }) : bytes);
    left -= Math.min(left - 1, length);
  }
  return tables;
}

/** Reads the tables of a TrueType, OpenType, WOFF or WOFF2 file by tag. Throws for other, truncated and oversized files (`maxBytes` decompressed). */
export function readTables(file: Buffer, maxBytes: number): Map<string, Buffer> {
  const signature = file.toString('latin1', 0, 4);
  if (signature === 'wOF2') return woff2Tables(file, maxBytes);
  return signature === 'wOFF' ? woffTables(file, maxBytes) : sfntTables(file);
}

const maxFontBytes = 256 * 1024 * 1024;

/** Reads the line metrics of a font file; returns the defaults for unreadable files. */
export function readLineMetrics(path: string): LineMetrics {
  try {
    const file = readFileSync(path);
    const tables = readTables(file, maxFontBytes);
    const em = tables.get('head')?.readUInt16BE(18) ?? 0;
    const post = tables.get('post');
    const os2 = tables.get('OS/2');
    if (em === 0 || !post || !os2) return defaultLineMetrics;
    const underline = { top: post.readInt16BE(8) / em, thickness: post.readInt16BE(10) / em };
    const strike = { top: os2.readInt16BE(28) / em, thickness: os2.readInt16BE(26) / em };
    const capHeight = os2.length >= 90 ? os2.readInt16BE(88) / em : 0;
    return {
      // Both tables give the top edge of the stroke.
      underlinePosition: underline.thickness > 0 ? underline.top - underline.thickness / 2 : defaultLineMetrics.underlinePosition,
      underlineThickness: underline.thickness > 0 ? underline.thickness : defaultLineMetrics.underlineThickness,
      strikePosition: strike.thickness > 0 ? strike.top - strike.thickness / 2 : defaultLineMetrics.strikePosition,
      strikeThickness: strike.thickness > 0 ? strike.thickness : defaultLineMetrics.strikeThickness,
      capHeight: capHeight > 0 ? capHeight : defaultLineMetrics.capHeight,
    };
  } catch {
    return defaultLineMetrics;
  }
}
