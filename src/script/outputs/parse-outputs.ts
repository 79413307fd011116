import type { LadderRung, Movie, Output, OutputAudioCodec, OutputCodec, OutputFormat, Quality } from '../movie.js';
import { alternatives, fail, joinPath } from '../validation/fail.js';
import { Fields } from '../validation/fields.js';
import { schemaPart } from '../validation/schema.js';
import { nearestEven, parseFrameRate } from '../values/canvas.js';
import { MIN_AV1_PIXELS } from '../values/codec.js';
import { type FormatTraits, outputFormats } from './formats.js';
import { standardLadder } from './ladder.js';
import { type Precision, parseOutputPrecision } from './precision.js';

/** Minimum and maximum side of a frame in pixels, for every encoder. */
const MIN_SIDE = 16;
const MAX_SIDE = 8192;

/** Maximum bits per second of a channel, by the encoders. */
const maxChannelBitrate: Partial<Record<OutputAudioCodec, number>> = { aac: 256_000, opus: 256_000, mp3: 160_000 };

type MovieTraits = Pick<Movie, 'width' | 'height' | 'fps' | 'codec' | 'quality'> & { precision: Precision };

/** Default frame rate limit of animations, which players and file sizes suffer above. */
const MAX_DEFAULT_ANIMATION_FPS = 15;

/** How far width / height may deviate from the movie's aspect ratio, beside what rounding to even sides does. */
const ASPECT_TOLERANCE = 0.01;

/** Reads `outputs`; empty for a movie without, unless its one file is composed in high precision. Throws SCHEMA_VALIDATION_ERROR for combinations that no file can have. */
export function parseOutputs(script: Fields, movie: MovieTraits): Output[] {
  const found = script.find('outputs');
  const isPlain = Object.keys(movie.precision).length === 0;
  const objects = (found?.value ?? (isPlain ? [] : [{ name: 'video', format: 'mp4' }])) as Array<Record<string, unknown>>;
  const outputs = objects.map((object, index) => parseOutput(object, joinPath(found?.path ?? 'outputs', index), movie));
  for (const [index, { name }] of outputs.entries()) {
    const other = outputs.findIndex((output) => output.name === name);
    if (other !== index)
      fail(joinPath(joinPath('outputs', index), 'name'), `name must be unique: ${JSON.stringify(name)} is also the name of outputs.${other}.`);
  }
  return outputs;
}

function parseOutput(object: Record<string, unknown>, path: string, movie: MovieTraits): Output {
  const fields = new Fields({ object, path, schema: schemaPart('output') });
  const format = fields.string('format') as OutputFormat;
  const traits = outputFormats[format];
  checkApplicable(fields, format, traits);
  const isVisual = traits.kind !== 'audio' && traits.kind !== 'captions';
  const isSequence = fields.flag('sequence');
  const hasTime = traits.kind === 'video' || traits.kind === 'stream' || traits.kind === 'animation' || isSequence;
  const codec = parseOutputCodec(fields, format, traits, movie);
  const size = isVisual ? parseOutputSize(fields, standardSize(traits, movie), codec) : undefined;
  const audio = parseAudio(fields, format, traits);
  const [crf, bitrate, maxBytes, time, interval] = [
    parseCrf(fields, codec),
    fields.optionalNumber('bitrate'),
    fields.optionalNumber('max_bytes'),
    fields.optionalNumber('time'),
    fields.optionalNumber('interval'),
  ];
  const range = fields.object('range');
  return {
    path,
    name: fields.string('name'),
    format,
    ...(codec !== undefined && { codec }),
    width: size?.width ?? movie.width,
    height: size?.height ?? movie.height,
    fps: hasTime ? parseFps(fields, traits, movie) : movie.fps,
    quality: (fields.optionalString('quality') as Quality | undefined) ?? movie.quality,
    ...(crf !== undefined && { crf }),
    ...(bitrate !== undefined && { bitrate }),
    ...(fields.flag('lossless') && { lossless: true }),
    alpha: fields.flag('alpha'),
    matte: fields.color('matte'),
    ...(audio !== undefined && { audio }),
    ...(range !== undefined && { range: rangeOf(range) }),
    ...(time !== undefined && { time }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(isVisual && parseOutputPrecision(fields, format, codec, movie.precision)),
    ...(fields.flag('fragmented') && { fragmented: true }),
    ...(isSequence && { sequence: true }),
    ...(traits.kind === 'stream' &&
      size !== undefined && { ladder: parseLadder(fields, { ...size, codec }), segmentDuration: fields.number('segment_duration') }),
    ...(interval !== undefined && { interval }),
  };
}

/** Width of an image of a storyboard unless the script says otherwise. */
const STORYBOARD_WIDTH = 160;

/** The size that an output has unless the script says otherwise. */
function standardSize({ kind }: FormatTraits, { width, height }: MovieTraits): Size {
  if (kind !== 'storyboard') return { width, height };
  const scale = Math.min(1, STORYBOARD_WIDTH / Math.max(width, height));
  return { width: roundedSide(width * scale), height: roundedSide(height * scale) };
}

const roundedSide = (value: number): number => Math.max(MIN_SIDE, nearestEven(value));

function rangeOf(range: Fields): NonNullable<Output['range']> {
  const duration = range.optionalNumber('duration');
  return { start: range.number('start'), ...(duration !== undefined && { duration }) };
}

/** Sides in pixels. */
interface Size {
  width: number;
  height: number;
}

/** Properties and the kinds of output that take them. */
const takenBy: ReadonlyArray<readonly [property: string, kinds: ReadonlyArray<FormatTraits['kind']>, instead: string]> = [
  ['width', ['video', 'stream', 'animation', 'still', 'storyboard'], 'leave it out'],
  ['height', ['video', 'stream', 'animation', 'still', 'storyboard'], 'leave it out'],
  ['alpha', ['video', 'stream', 'animation', 'still'], 'leave it out'],
  ['matte', ['video', 'stream', 'animation', 'still', 'storyboard'], 'leave it out'],
  ['codec', ['video', 'stream'], 'leave it out'],
  ['bit_depth', ['video', 'stream'], 'leave it out'],
  ['hdr', ['video', 'stream'], 'mp4, mov, webm, hls and dash take it'],
  ['fps', ['video', 'stream', 'animation', 'still'], 'leave it out'],
  ['bitrate', ['video'], 'the bit rate of sound is "audio": {"bitrate": …}'],
  ['quality', ['video', 'stream', 'animation', 'still', 'storyboard', 'audio'], 'leave it out'],
  ['crf', ['video', 'stream'], 'write quality instead'],
  ['range', ['video', 'stream', 'animation', 'still', 'storyboard', 'audio', 'captions'], 'leave it out'],
  ['time', ['still'], 'a part of the movie is a "range"'],
  ['audio', ['video', 'stream', 'audio'], 'only videos, streams and audio files have sound'],
  ['ladder', ['stream'], 'hls and dash take it'],
  ['segment_duration', ['stream'], 'hls and dash take it'],
  ['interval', ['storyboard'], 'storyboard takes it'],
];

/** What applies to a sequence of frames, but not to one. */
const needsSequence = [
  ['fps', 'a still has no frame rate'],
  ['range', 'a still shows one frame, at "time"'],
] as const;

function checkApplicable(fields: Fields, format: OutputFormat, traits: FormatTraits): void {
  const refuse = (property: string, instead: string, subject = `the format ${format}`): void => {
    const found = fields.find(property);
    const isOff = found?.value === false;
    if (found !== undefined && !isOff) fail(found.path, `${property} does not apply to ${subject}; ${instead}.`);
  };
  if (traits.kind === 'stream') refuse('bitrate', 'give each size its own: "ladder": [{"height": 720, "bitrate": 3000000}]');
  for (const [property, kinds, instead] of takenBy) if (!kinds.includes(traits.kind)) refuse(property, instead);
  if (!traits.hasMaxBytes) {
    const limited = (Object.keys(outputFormats) as OutputFormat[]).filter((name) => outputFormats[name].hasMaxBytes);
    refuse('max_bytes', `${limited.join(', ')} take it`);
  }
  if (!traits.hasSequence) refuse('sequence', `${sequenceFormats} take it`);
  const isSequence = fields.flag('sequence');
  if (traits.kind === 'still') {
    if (isSequence) for (const property of ['time', 'max_bytes']) refuse(property, 'leave it out', 'a sequence');
    else {
      const sequence = traits.hasSequence ? '; "sequence": true takes it' : '';
      for (const [property, instead] of needsSequence) refuse(property, `${instead}${sequence}`);
    }
  }
  if (format !== 'mp4') refuse('fragmented', 'mp4 takes it; hls and dash are always fragmented');
  if (format === 'poster') refuse('time', 'its frame is chosen; a jpeg shows the frame at "time"');
  if (format !== 'webp' && format !== 'webp-still') refuse('lossless', 'webp and webp-still take it; png, apng, flac and wav always are');
  if (fields.flag('lossless')) for (const property of ['quality', 'max_bytes']) refuse(property, 'leave one of them out', 'a lossless file');
  const isProRes = format === 'mov' && !/^(h264|hevc)$/.test(fields.optionalString('codec') ?? '');
  if (isProRes) for (const property of ['quality', 'bitrate']) refuse(property, 'ProRes has a bit rate of its own; h264 and hevc take it', 'ProRes');
  const given = ['quality', 'crf', 'bitrate'].filter((property) => fields.find(property) !== undefined);
  if (given.length > 1) fail(fields.pathOf(given[1] ?? ''), `Only one of quality, crf and bitrate may be given, not ${given.join(' and ')}.`);
}

function parseOutputCodec(fields: Fields, format: OutputFormat, { codecs, alpha, kind }: FormatTraits, movie: MovieTraits): OutputCodec | undefined {
  const isTransparent = fields.flag('alpha');
  const transparent = Array.isArray(alpha) ? (alpha as readonly OutputCodec[]) : undefined;
  if (isTransparent && alpha === false) fail(fields.pathOf('alpha'), `The format ${format} has no transparency; ${transparentFormats} have.`);
  if (kind !== 'video' && kind !== 'stream') return undefined;
  const fallback = format === 'mp4' || kind === 'stream' ? movie.codec : ((isTransparent ? transparent?.[0] : undefined) ?? codecs[0]);
  const codec = (fields.optionalString('codec') as OutputCodec | undefined) ?? fallback;
  if (codec === undefined || !codecs.includes(codec))
    fail(fields.pathOf('codec'), `codec must be ${alternatives(codecs)} for the format ${format}, not ${codec}.`);
  if (isTransparent && !transparent?.includes(codec)) {
    fail(fields.pathOf('alpha'), `The codec ${codec} has no transparency; in ${format} ${alternatives(transparent ?? [])} has.`);
  }
  return codec;
}

const sequenceFormats = (Object.keys(outputFormats) as OutputFormat[]).filter((format) => outputFormats[format].hasSequence).join(', ');
const transparentFormats = (Object.keys(outputFormats) as OutputFormat[]).filter((format) => outputFormats[format].alpha !== false).join(', ');

/** Even sides, in the movie's aspect ratio. */
function parseOutputSize(fields: Fields, movie: Size, codec: OutputCodec | undefined): Size {
  const even = (value: number): number => Math.max(2, 2 * Math.ceil(value / 2 - 1e-9));
  const nearest = (value: number): number => Math.max(2, nearestEven(value));
  const ratio = movie.width / movie.height;
  const [wanted, wantedHeight] = [fields.optionalNumber('width'), fields.optionalNumber('height')];
  const width = wanted === undefined ? (wantedHeight === undefined ? movie.width : nearest(even(wantedHeight) * ratio)) : even(wanted);
  const size = { width, height: wantedHeight === undefined ? (wanted === undefined ? movie.height : nearest(width / ratio)) : even(wantedHeight) };
  const outside = (['width', 'height'] as const).find((side) => size[side] < MIN_SIDE || size[side] > MAX_SIDE);
  if (outside !== undefined) {
    fail(fields.pathOf('width'), `The output would be ${size.width}×${size.height} pixels; width and height must be from ${MIN_SIDE} to ${MAX_SIDE}.`);
  }
  const deviation = size.width / size.height / ratio - 1;
  if (Math.abs(deviation) > ASPECT_TOLERANCE + 2 / Math.min(size.width, size.height)) {
    fail(
      fields.pathOf('height'),
      `width and height must have the movie's aspect ratio (${movie.width}:${movie.height}), because its frames are scaled; give only one of them.`,
    );
  }
  if (codec === 'av1' && Math.min(size.width, size.height) < MIN_AV1_PIXELS) {
    fail(
      fields.pathOf('codec'),
      `codec must not be av1 for an output of ${size.width}×${size.height} pixels: av1 needs at least ${MIN_AV1_PIXELS}×${MIN_AV1_PIXELS}.`,
    );
  }
  return size;
}

/** The sizes of a stream, the largest first. */
function parseLadder(fields: Fields, output: Size & { codec: OutputCodec | undefined }): LadderRung[] {
  const found = fields.find('ladder');
  if (found === undefined || found.value === 'auto') return standardLadder(output);
  const rungs = (found.value as Array<Record<string, unknown>>).map((object, index) => {
    const rung = new Fields({ object, path: joinPath(found.path, index), schema: schemaPart('ladder_rung') });
    const size = parseOutputSize(rung, output, output.codec);
    if (size.width > output.width) {
      fail(rung.pathOf('height'), `A size of the ladder must be at most the output's, ${output.width}×${output.height}, not ${size.width}×${size.height}.`);
    }
    const bitrate = rung.optionalNumber('bitrate');
    return { ...size, ...(bitrate !== undefined && { bitrate }) };
  });
  return rungs.sort((a, b) => b.height - a.height || (b.bitrate ?? 0) - (a.bitrate ?? 0));
}

function parseFps(fields: Fields, { kind }: FormatTraits, movie: MovieTraits): Movie['fps'] {
  const own = movie.fps.num / movie.fps.den;
  const fps = fields.optionalNumber('fps');
  if (fps === undefined) return kind === 'animation' && own > MAX_DEFAULT_ANIMATION_FPS ? { num: MAX_DEFAULT_ANIMATION_FPS, den: 1 } : engineRate(movie.fps);
  const rate = parseFrameRate(Math.round(fps * 1000) / 1000);
  if (rate.num / rate.den > own * (1 + 1e-6)) fail(fields.pathOf('fps'), `fps must be at most the movie's, ${Number(own.toFixed(3))}, not ${fps}.`);
  return rate;
}

/** A rate whose terms are at most a million, the maximum of the engine's outputs. */
function engineRate(fps: Movie['fps']): Movie['fps'] {
  return fps.num <= 1_000_000 ? fps : { num: Math.round((fps.num / fps.den) * 1000), den: 1000 };
}

const maxCrf: Partial<Record<OutputCodec, number>> = { h264: 51, hevc: 51, av1: 63, vp9: 63 };

function parseCrf(fields: Fields, codec: OutputCodec | undefined): number | undefined {
  const crf = fields.optionalNumber('crf');
  if (crf === undefined) return undefined;
  const limit = codec === undefined ? undefined : maxCrf[codec];
  if (limit === undefined) fail(fields.pathOf('crf'), `crf applies to ${alternatives(Object.keys(maxCrf))}; write quality instead.`);
  if (crf > limit) fail(fields.pathOf('crf'), `crf must be at most ${limit} for ${codec}, not ${crf}.`);
  return crf;
}

/** Sound of the output; undefined if it has none. */
function parseAudio(fields: Fields, format: OutputFormat, { audio: codecs, kind }: FormatTraits): Output['audio'] {
  const [standard] = codecs;
  const found = fields.find('audio');
  if (standard === undefined) return undefined;
  if (found?.value === false) {
    if (kind === 'audio') fail(found.path, `audio must not be false for the format ${format}, which contains only sound; leave the output out instead.`);
    return undefined;
  }
  const own = typeof found?.value === 'object' ? fields.object('audio') : undefined;
  const codec = (own?.optionalString('codec') as OutputAudioCodec | undefined) ?? standard;
  if (!codecs.includes(codec))
    fail(own?.pathOf('codec') ?? '', `The codec of the sound must be ${alternatives(codecs)} for the format ${format}, not ${codec}.`);
  const bitrate = own?.optionalNumber('bitrate');
  if (bitrate !== undefined && (codec === 'pcm' || codec === 'flac'))
    fail(own?.pathOf('bitrate') ?? '', `bitrate does not apply to ${codec}, which is lossless.`);
  const channels = own?.optionalNumber('channels') === 1 ? 1 : 2;
  const limit = (maxChannelBitrate[codec] ?? Number.POSITIVE_INFINITY) * channels;
  if (bitrate !== undefined && bitrate > limit) {
    fail(
      own?.pathOf('bitrate') ?? '',
      `bitrate must be at most ${limit} for ${codec} with ${channels === 1 ? 'one channel' : 'two channels'}, not ${bitrate}.`,
    );
  }
  return { codec, channels, ...(bitrate !== undefined && { bitrate }) };
}
