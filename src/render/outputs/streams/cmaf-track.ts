import { type FileHandle, open } from 'node:fs/promises';

/** A byte range of a file. */
export interface ByteRange {
  offset: number;
  size: number;
}

/** A fragment of a track. */
export interface TrackSegment extends ByteRange {
  durationSeconds: number;
}

/** Code points of ISO/IEC 23091-2. */
export interface TrackColors {
  primaries: number;
  transfer: number;
  matrix: number;
  isFullRange: boolean;
}

/** The index of a CMAF track: a fragmented MP4 file with one stream and a segment index (`sidx`). */
export interface CmafTrack {
  /** Colours of a video; absent where the header names none. */
  colors?: TrackColors;
  /** RFC 6381 string, e.g. `avc1.64001f`. */
  codec: string;
  /** The header, which players need before any segment. */
  header: ByteRange;
  /** The segment index. */
  index: ByteRange;
  segments: TrackSegment[];
  sizeBytes: number;
}

/** Maximum bytes before the first segment: a header and an index of a few hours. */
const MAX_HEAD_BYTES = 1 << 20;

/** Reads the index of a track that the engine wrote. Throws Error if the file is none. Boxes are those of ISO/IEC 14496-12. */
export async function readCmafTrack(path: string): Promise<CmafTrack> {
  const file = await open(path, 'r');
  try {
    const sizeBytes = (await file.stat()).size;
    const head = await readHead(file, Math.min(sizeBytes, MAX_HEAD_BYTES));
    const moov = findBox(head, 'moov');
    const sidx = findBox(head, 'sidx');
    if (moov === undefined || sidx === undefined) throw new Error(`${path} has no segment index`);
    const index = { offset: sidx.offset, size: sidx.size };
    const entry = sampleEntryOf(moov.content);
    const colors = colorsOf(entry);
    return {
      codec: codecOf(entry),
      ...(colors !== undefined && { colors }),
      header: { offset: 0, size: moov.offset + moov.size },
      index,
      segments: segmentsOf(sidx),
      sizeBytes,
    };
  } finally {
    await file.close();
  }
}

async function readHead(file: FileHandle, size: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
  return buffer.subarray(0, bytesRead);
}

interface Box extends ByteRange {
  type: string;
  content: Buffer;
}

/** The boxes that lie wholly in `bytes`. */
function* boxesIn(bytes: Buffer): Generator<Box> {
  for (let offset = 0; offset + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(offset);
    if (size < 8 || offset + size > bytes.length) return;
    yield { type: bytes.toString('latin1', offset + 4, offset + 8), offset, size, content: bytes.subarray(offset + 8, offset + size) };
    offset += size;
  }
}

const findBox = (bytes: Buffer, type: string): Box | undefined => [...boxesIn(bytes)].find((box) => box.type === type);

function boxAt(bytes: Buffer, ...path: string[]): Buffer {
  return path.reduce((content, type) => {
    const box = findBox(content, type);
    if (box === undefined) throw new Error(`the track has no ${type} box`);
    return box.content;
  }, bytes);
}

/** The references of a segment index (8.16.3); offsets count from its end. */
function segmentsOf(sidx: Box): TrackSegment[] {
  const { content } = sidx;
  const isLong = content.readUInt8(0) === 1;
  const timescale = content.readUInt32BE(8);
  const first = isLong ? Number(content.readBigUInt64BE(20)) : content.readUInt32BE(16);
  const references = isLong ? 28 : 20;
  let offset = sidx.offset + sidx.size + first;
  return Array.from({ length: content.readUInt16BE(references + 2) }, (_, index) => {
    const at = references + 4 + index * 12;
    const size = content.readUInt32BE(at) & 0x7fffffff;
    const segment = { offset, size, durationSeconds: content.readUInt32BE(at + 4) / timescale };
    offset += size;
    return segment;
  });
}

/** Code point of BT.709's transfer characteristics. */
const BT709 = 1;

/** Bytes of a visual or an audio sample entry before its boxes. */
const VISUAL_ENTRY_BYTES = 78;
const AUDIO_ENTRY_BYTES = 28;

function sampleEntryOf(moov: Buffer): Box {
  const entries = boxAt(moov, 'trak', 'mdia', 'minf', 'stbl', 'stsd').subarray(8);
  const [entry] = boxesIn(entries);
  if (entry === undefined) throw new Error('the track has no sample description');
  return entry;
}

/** The colour information of type `nclx` (ISO/IEC 14496-12, 12.1.5). */
function colorsOf({ type, content }: Box): TrackColors | undefined {
  if (type === 'mp4a') return undefined;
  const colr = findBox(content.subarray(VISUAL_ENTRY_BYTES), 'colr')?.content;
  if (colr === undefined || colr.toString('latin1', 0, 4) !== 'nclx') return undefined;
  return {
    primaries: colr.readUInt16BE(4),
    transfer: colr.readUInt16BE(6),
    matrix: colr.readUInt16BE(8),
    isFullRange: (colr.readUInt8(10) & 0x80) !== 0,
  };
}

function codecOf(entry: Box): string {
  const { type, content } = entry;
  const visual = (name: string): Buffer => boxAt(content.subarray(VISUAL_ENTRY_BYTES), name);
  if (type === 'avc1') return `avc1.${visual('avcC').toString('hex', 1, 4)}`;
  if (type === 'hvc1') return hevcCodec(visual('hvcC'));
  if (type === 'av01') return av1Codec(visual('av1C'), colorsOf(entry));
  if (type === 'mp4a') return `mp4a.40.${aacObjectType(boxAt(content.subarray(AUDIO_ENTRY_BYTES), 'esds'))}`;
  throw new Error(`the track has an unknown codec, ${type}`);
}

/** ISO/IEC 14496-15, annex E.3. */
function hevcCodec(hvcC: Buffer): string {
  const profile = hvcC.readUInt8(1);
  const space = ['', 'A', 'B', 'C'][profile >> 6] ?? '';
  const tier = (profile & 0x20) === 0 ? 'L' : 'H';
  const compatibility = reverseBits(hvcC.readUInt32BE(2)).toString(16).toUpperCase();
  const constraints = [...hvcC.subarray(6, 12)];
  while (constraints.at(-1) === 0) constraints.pop();
  const level = hvcC.readUInt8(12);
  return ['hvc1', `${space}${profile & 0x1f}`, compatibility, `${tier}${level}`, ...constraints.map((byte) => byte.toString(16).toUpperCase())].join('.');
}

function reverseBits(value: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 32; bit++) if ((value & (2 ** bit)) !== 0) reversed += 2 ** (31 - bit);
  return reversed;
}

/** The AV1 codec string of the binding to ISO base media files, section 5. Its optional part is left out where all of it has its default: BT.709. */
function av1Codec(av1C: Buffer, colors: TrackColors | undefined): string {
  const [profile, flags] = [av1C.readUInt8(1), av1C.readUInt8(2)];
  const two = (value: number): string => String(value).padStart(2, '0');
  const depth = (flags & 0x40) === 0 ? 8 : (flags & 0x20) === 0 ? 10 : 12;
  const plain = `av01.${profile >> 5}.${two(profile & 0x1f)}${(flags & 0x80) === 0 ? 'M' : 'H'}.${two(depth)}`;
  if (colors === undefined || colors.transfer === BT709) return plain;
  const subsampling = [flags & 0x08 ? 1 : 0, flags & 0x04 ? 1 : 0, flags & 0x03].join('');
  const { primaries, transfer, matrix, isFullRange } = colors;
  return [plain, flags & 0x10 ? 1 : 0, subsampling, two(primaries), two(transfer), two(matrix), isFullRange ? 1 : 0].join('.');
}

/** The audio object type in the first five bits of the decoder's configuration, which follows the descriptor tag 5. */
function aacObjectType(esds: Buffer): number {
  const tag = esds.indexOf(0x05, 4 + 3);
  let at = tag + 1;
  while ((esds.readUInt8(at) & 0x80) !== 0) at++;
  return esds.readUInt8(at + 1) >> 3;
}
