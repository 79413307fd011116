import { type Movie, type Output, outputFileNames, outputFormats } from '../../script/index.js';
import type { EncodeSettings, SegmentCodec } from '../../timeline/index.js';

/** What decides how the outputs of a movie are made. */
export type MovieOutputs = Pick<Movie, 'outputs' | 'width' | 'height' | 'fps'>;

/** Where the files of a movie go. */
export interface OutputFiles {
  /** The output that is encoded in segments, by the planned encoder with caches and still spans; undefined if none can be. */
  main: Output | undefined;
  /** Other videos that are encoded in segments of the same frames. */
  segmented: readonly Output[];
  /** All other outputs with frames or sound, which are written whole. */
  others: readonly Output[];
  captions: readonly Output[];
  /** Paths by output name. */
  paths: ReadonlyMap<string, string>;
}

/** Divides the outputs of a movie; undefined for a movie without `outputs`. `paths` replaces the paths beside `primaryPath` by output name. */
export function divideOutputs(movie: MovieOutputs, primaryPath: string, paths: ReadonlyMap<string, string> = new Map()): OutputFiles | undefined {
  if (movie.outputs.length === 0) return undefined;
  const main = mainOutput(movie);
  const segmented = movie.outputs.filter((output) => output !== main && isSegmented(output, movie));
  const others = movie.outputs.filter((output) => output !== main && !segmented.includes(output) && !isCaptions(output));
  return { main, segmented, others, captions: movie.outputs.filter(isCaptions), paths: new Map([...outputFileNames(primaryPath, movie.outputs), ...paths]) };
}

/** What has to be made of a movie before its files can be muxed. */
export interface NeededStreams {
  /** Segments. */
  video: boolean;
  /** The mix, from which the sound of other outputs is encoded. */
  mix: boolean;
  /** Anything that is drawn: frames or captions. */
  drawing: boolean;
}

/** The streams that a movie's files need. `files`: undefined for a movie without `outputs`, which is one video. */
export function neededStreams(files: OutputFiles | undefined, hasSound: boolean): NeededStreams {
  if (files === undefined) return { video: true, mix: false, drawing: true };
  const { others, captions } = files;
  const videos = segmentedOutputs(files);
  return {
    video: videos.length > 0,
    // A sound file of a silent movie is silent; a video then has no sound.
    mix:
      others.some((output) => output.audio !== undefined && (hasSound || isSound(output))) ||
      (hasSound && videos.some((output) => output.audio !== undefined && !hasSoundPackets(output))),
    drawing: videos.length > 0 || captions.length > 0 || !others.every(isSound),
  };
}

/** Whether a movie's video shares its frames with other moving outputs, so that both are made from one composition. */
export function sharesFrames(files: OutputFiles | undefined): boolean {
  if (files === undefined) return false;
  const videos = groupBySegments(files).length;
  return videos > 1 || (videos > 0 && files.others.some(isMoving));
}

/** The outputs that are encoded in segments, the main one first. */
export const segmentedOutputs = ({ main, segmented }: OutputFiles): readonly Output[] => (main === undefined ? segmented : [main, ...segmented]);

/** Those outputs in groups whose segments are the same, because they differ in container or sound only. The main one is the first of the first group. */
export function groupBySegments(files: OutputFiles): Array<[Output, ...Output[]]> {
  const groups = new Map<string, [Output, ...Output[]]>();
  for (const output of segmentedOutputs(files)) {
    const { codec, quality, crf, width, height, bitDepth, hdr, linear } = output;
    const key = JSON.stringify([codec, quality, crf, width, height, bitDepth, hdr, linear]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [output]);
    else group.push(output);
  }
  return [...groups.values()];
}

/** Whether the sound of a segmented output is packets that are muxed as they are; others are encoded from the mix into the file. */
export const hasSoundPackets = ({ audio, fragmented }: Output): boolean => audio?.codec === 'aac' && audio.channels === 2 && fragmented !== true;

const isMoving = ({ format, sequence }: Output): boolean => !['audio', 'still', 'storyboard'].includes(outputFormats[format].kind) || sequence === true;

const isSound = ({ format }: Output): boolean => outputFormats[format].kind === 'audio';

/** The output that the movie's segments can be muxed into as they are; undefined if there is none. */
function mainOutput(movie: MovieOutputs): Output | undefined {
  return movie.outputs.find((output) => isMainVideo(output, movie));
}

const isMainVideo = (output: Output, movie: MovieOutputs): boolean =>
  isSegmented(output, movie) && output.width === movie.width && output.height === movie.height;

/** The codec of an output, if it can be encoded in segments: ProRes has no frames that refer to others, and needs none. */
export const segmentCodecOf = ({ codec }: Output): SegmentCodec | undefined =>
  codec === undefined || codec === 'prores-422' || codec === 'prores-4444' ? undefined : codec;

/** Whether a video's segments show all frames of the movie, in any size. */
function isSegmented(output: Output, movie: MovieOutputs): boolean {
  const isWhole = output.range === undefined && isSameRate(output.fps, movie.fps);
  const isPlain = (output.bitDepth === 10 || !output.linear) && output.bitrate === undefined && isBlack(output.matte);
  const isVideo = outputFormats[output.format].kind === 'video' && segmentCodecOf(output) !== undefined && !output.alpha;
  return isVideo && isWhole && isPlain;
}

const isCaptions = ({ format }: Output): boolean => outputFormats[format].kind === 'captions';

const isSameRate = (a: Movie['fps'], b: Movie['fps']): boolean => a.num * b.den === b.num * a.den;

const isBlack = ({ r, g, b }: Output['matte']): boolean => r + g + b === 0;

/** The movie as its segments are encoded: with codec and quality of the main output. */
export function withMainOutput(movie: Movie): Movie {
  const main = mainOutput(movie);
  return main === undefined ? movie : { ...movie, quality: main.quality, codec: main.codec as Movie['codec'] };
}

/** Settings that the main output overrides. */
export function mainEncodeSettings(movie: Movie): Partial<EncodeSettings> {
  const main = mainOutput(movie);
  if (main === undefined) return {};
  const { crf, audio } = main;
  return { ...precisionSettings(main), ...(crf !== undefined && { crf }), ...(audio?.bitrate !== undefined && { audioBitrate: audio.bitrate }) };
}

/** Whether the main output has 10 bits, which only software encodes. */
export const isMainDeep = (movie: Movie): boolean => mainOutput(movie)?.bitDepth === 10;

/** Bits and colours of the segments of an output. */
export const precisionSettings = ({ bitDepth, hdr, linear }: Output): Partial<EncodeSettings> => ({
  ...(bitDepth !== undefined && { bitDepth }),
  ...(bitDepth !== undefined && hdr !== undefined && { hdr }),
  ...(bitDepth !== undefined && linear === true && { linear }),
});
