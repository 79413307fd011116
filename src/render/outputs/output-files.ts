import { type Movie, type Output, outputFileNames, outputFormats } from '../../script/index.js';
import type { EncodeSettings } from '../../timeline/index.js';

/** Where the files of a movie go. */
export interface OutputFiles {
  /** The output that is encoded in segments, by the planned encoder with caches and still spans; undefined if none can be. */
  main: Output | undefined;
  /** All other outputs with frames or sound, which share one composition. */
  others: readonly Output[];
  captions: readonly Output[];
  /** Paths by output name. */
  paths: ReadonlyMap<string, string>;
}

/** Divides the outputs of a movie; undefined for a movie without `outputs`. `paths` replaces the paths beside `primaryPath` by output name. */
export function divideOutputs(movie: Movie, primaryPath: string, paths: ReadonlyMap<string, string> = new Map()): OutputFiles | undefined {
  if (movie.outputs.length === 0) return undefined;
  const main = mainOutput(movie);
  const others = movie.outputs.filter((output) => output !== main && !isCaptions(output));
  return { main, others, captions: movie.outputs.filter(isCaptions), paths: new Map([...outputFileNames(primaryPath, movie.outputs), ...paths]) };
}

/** What has to be made of a movie before its files can be muxed. */
export interface NeededStreams {
  /** The segments of the main video. */
  video: boolean;
  /** The main video's sound. */
  videoSound: boolean;
  /** The mix, from which the sound of other outputs is encoded. */
  mix: boolean;
  /** Anything that is drawn: frames or captions. */
  drawing: boolean;
}

/** The streams that a movie's files need. `files`: undefined for a movie without `outputs`, which is one video. */
export function neededStreams(files: OutputFiles | undefined, hasSound: boolean): NeededStreams {
  if (files === undefined) return { video: true, videoSound: hasSound, mix: false, drawing: true };
  const { main, others, captions } = files;
  return {
    video: main !== undefined,
    videoSound: hasSound && main?.audio !== undefined,
    // A sound file of a silent movie is silent; a video then has no sound.
    mix: others.some((output) => output.audio !== undefined && (hasSound || isSound(output))),
    drawing: main !== undefined || captions.length > 0 || !others.every(isSound),
  };
}

const isSound = ({ format }: Output): boolean => outputFormats[format].kind === 'audio';

/** The output that the movie's segments can be muxed into as they are; undefined if there is none. */
function mainOutput(movie: Movie): Output | undefined {
  return movie.outputs.find((output) => isMainVideo(output, movie));
}

function isMainVideo(output: Output, movie: Movie): boolean {
  const isWhole = output.range === undefined && output.width === movie.width && output.height === movie.height && isSameRate(output.fps, movie.fps);
  const isPlain = !output.fragmented && output.bitDepth === undefined && !output.linear;
  return output.format === 'mp4' && isWhole && isPlain && output.bitrate === undefined && output.audio?.channels !== 1 && isBlack(output.matte);
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
  const { crf, audio } = mainOutput(movie) ?? {};
  return { ...(crf !== undefined && { crf }), ...(audio?.bitrate !== undefined && { audioBitrate: audio.bitrate }) };
}
