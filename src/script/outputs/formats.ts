import type { OutputAudioCodec, OutputCodec, OutputFormat } from '../movie.js';

/** What a file of a format has. */
export interface FormatTraits {
  kind: 'video' | 'stream' | 'animation' | 'still' | 'storyboard' | 'audio' | 'captions';
  /** Without a dot. */
  extension: string;
  mimeType: string;
  /** Video codecs, the default first; empty for formats that have only one. */
  codecs: readonly OutputCodec[];
  /** Whether it may be transparent: with these codecs, with any, or not at all. */
  alpha: readonly OutputCodec[] | boolean;
  /** Codecs of the sound, the default first; empty for formats without sound. */
  audio: readonly OutputAudioCodec[];
  /** Whether the size can be limited with `max_bytes`. */
  hasMaxBytes?: true;
  /** Whether it can be a sequence of all frames. */
  hasSequence?: true;
  /** Of formats that are a folder of files: the name, without extension, of the file that refers to the others. */
  entry?: string;
}

/** All formats of outputs. */
export const outputFormats: Readonly<Record<OutputFormat, FormatTraits>> = {
  mp4: { kind: 'video', extension: 'mp4', mimeType: 'video/mp4', codecs: ['h264', 'hevc', 'av1'], alpha: false, audio: ['aac'] },
  webm: { kind: 'video', extension: 'webm', mimeType: 'video/webm', codecs: ['vp9', 'av1'], alpha: ['vp9'], audio: ['opus'] },
  mov: {
    kind: 'video',
    extension: 'mov',
    mimeType: 'video/quicktime',
    codecs: ['prores-422', 'prores-4444', 'h264', 'hevc'],
    alpha: ['prores-4444'],
    audio: ['pcm', 'aac'],
  },
  gif: { kind: 'animation', extension: 'gif', mimeType: 'image/gif', codecs: [], alpha: true, audio: [], hasMaxBytes: true },
  webp: { kind: 'animation', extension: 'webp', mimeType: 'image/webp', codecs: [], alpha: true, audio: [], hasMaxBytes: true },
  apng: { kind: 'animation', extension: 'png', mimeType: 'image/apng', codecs: [], alpha: true, audio: [], hasMaxBytes: true },
  png: { kind: 'still', extension: 'png', mimeType: 'image/png', codecs: [], alpha: true, audio: [], hasSequence: true },
  jpeg: { kind: 'still', extension: 'jpg', mimeType: 'image/jpeg', codecs: [], alpha: false, audio: [], hasMaxBytes: true, hasSequence: true },
  'webp-still': { kind: 'still', extension: 'webp', mimeType: 'image/webp', codecs: [], alpha: true, audio: [], hasSequence: true },
  avif: { kind: 'still', extension: 'avif', mimeType: 'image/avif', codecs: [], alpha: true, audio: [] },
  poster: { kind: 'still', extension: 'jpg', mimeType: 'image/jpeg', codecs: [], alpha: false, audio: [], hasMaxBytes: true },
  mp3: { kind: 'audio', extension: 'mp3', mimeType: 'audio/mpeg', codecs: [], alpha: false, audio: ['mp3'] },
  m4a: { kind: 'audio', extension: 'm4a', mimeType: 'audio/mp4', codecs: [], alpha: false, audio: ['aac'] },
  opus: { kind: 'audio', extension: 'opus', mimeType: 'audio/ogg', codecs: [], alpha: false, audio: ['opus'] },
  flac: { kind: 'audio', extension: 'flac', mimeType: 'audio/flac', codecs: [], alpha: false, audio: ['flac'] },
  srt: { kind: 'captions', extension: 'srt', mimeType: 'application/x-subrip', codecs: [], alpha: false, audio: [] },
  vtt: { kind: 'captions', extension: 'vtt', mimeType: 'text/vtt', codecs: [], alpha: false, audio: [] },
  ass: { kind: 'captions', extension: 'ass', mimeType: 'text/x-ssa', codecs: [], alpha: false, audio: [] },
  hls: {
    kind: 'stream',
    extension: 'm3u8',
    mimeType: 'application/vnd.apple.mpegurl',
    codecs: ['h264', 'hevc', 'av1'],
    alpha: false,
    audio: ['aac'],
    entry: 'stream',
  },
  dash: { kind: 'stream', extension: 'mpd', mimeType: 'application/dash+xml', codecs: ['h264', 'hevc', 'av1'], alpha: false, audio: ['aac'], entry: 'stream' },
  storyboard: { kind: 'storyboard', extension: 'vtt', mimeType: 'text/vtt', codecs: [], alpha: false, audio: [], entry: 'storyboard' },
  wav: { kind: 'audio', extension: 'wav', mimeType: 'audio/wav', codecs: [], alpha: false, audio: ['pcm'] },
};

/** The format of a file by its name; undefined if none has the extension. A PNG or WebP file is a still, because only a script asks for an animation. */
export function formatOfFile(name: string): OutputFormat | undefined {
  const fitting = (Object.keys(outputFormats) as OutputFormat[]).filter((format) => hasExtension(name, outputFormats[format].extension));
  return fitting.find((format) => outputFormats[format].kind === 'still') ?? fitting[0];
}

/** Whether a file's name ends in an extension; `.jpeg` is another spelling of `.jpg`. */
export function hasExtension(name: string, extension: string): boolean {
  const spellings = extension === 'jpg' ? ['.jpg', '.jpeg'] : [`.${extension}`];
  return spellings.some((spelling) => name.toLowerCase().endsWith(spelling));
}

/** Extension and media type of an output's file. */
export function fileType({ format, sequence }: { format: OutputFormat; sequence?: boolean }): Pick<FormatTraits, 'extension' | 'mimeType'> {
  return sequence === true ? { extension: 'zip', mimeType: 'application/zip' } : outputFormats[format];
}

/** The output that `output_uri` names: the first video, or else the first stream, or else the first output. */
export function primaryOutput<Output extends { format: OutputFormat }>(outputs: readonly Output[]): Output {
  const first = (kind: FormatTraits['kind']): Output | undefined => outputs.find(({ format }) => outputFormats[format]?.kind === kind);
  const primary = first('video') ?? first('stream') ?? outputs[0];
  if (primary === undefined) throw new Error('a movie has no outputs');
  return primary;
}
