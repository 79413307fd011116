import { rm } from 'node:fs/promises';
import type { Cue } from '../../graphics/index.js';
import type { Movie } from '../../script/index.js';
import { type MuxCall, type MuxedVideo, muxVideos, type SegmentedOutput } from './mux-videos.js';
import { describeFiles, type MadeOutput, type OutputFile, writeCaptions } from './render-outputs.js';

/** What the finished files are made of. */
export interface FileParts {
  encoded: readonly SegmentedOutput[];
  /** Outputs that are complete, by name. */
  made: ReadonlyMap<string, MadeOutput>;
  captions: readonly Cue[];
  /** Packets of the sound by bits per second. Empty: the videos are silent. */
  audioPaths: ReadonlyMap<number, string>;
  /** Mix for the sound of other codecs. */
  mixPath?: string | undefined;
}

/** Properties of the finished files. `outputs` is absent for a movie without `outputs`. */
export interface WrittenFiles {
  muxed: readonly MuxedVideo[];
  outputs?: OutputFile[];
}

interface WriteCall extends Omit<MuxCall, 'audioPaths' | 'mixPath'> {
  movie: Pick<Movie, 'outputs' | 'width' | 'height'>;
}

/** Muxes videos, writes captions and describes the files of all outputs. */
export async function writeFiles({ encoded, made, captions, audioPaths, mixPath }: FileParts, call: WriteCall): Promise<WrittenFiles> {
  const { files, sound, movie, onWritten } = call;
  const muxed = await muxVideos(encoded, { ...call, audioPaths, mixPath });
  if (files === undefined) return { muxed };
  const { width, height, outputs } = movie;
  await writeCaptions(captions, { outputs: files.captions, paths: files.paths, onWritten }, { ...sound.canvas, width, height });
  return { muxed, outputs: await describeFiles(outputs, { paths: files.paths, made }, sound) };
}

/** Calls `write`, which reports every file or new folder that may exist; removes them when it fails. */
export async function removeOnFailure<T>(write: (onWritten: (path: string) => void) => Promise<T>): Promise<T> {
  const written: string[] = [];
  try {
    return await write((path) => void written.push(path));
  } catch (error) {
    await Promise.all(written.map((path) => rm(path, { force: true, recursive: true })));
    throw error;
  }
}
