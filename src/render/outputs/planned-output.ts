import { copyFile, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Engine } from '../../engine/index.js';
import { AppError } from '../../errors/index.js';
import { type Cue, encodeAvif, formatCaptions } from '../../graphics/index.js';
import { type Output, outputFormats, outputRange } from '../../script/index.js';
import type { Timeline } from '../../timeline/index.js';
import { type OutputSpec, outputSpec } from './output-spec.js';
import { choosePosterFrame } from './poster-frame.js';
import { storyboardFiles, writeStoryboard } from './storyboard.js';
import { captionTracks } from './streams/caption-tracks.js';
import { dashManifest } from './streams/dash.js';
import { captionsPlaylist, mediaPlaylist, multivariantPlaylist, withTimestampMap } from './streams/hls.js';
import { describeStream } from './streams/stream-description.js';
import { type StreamTrack, streamFiles, streamTracks } from './streams/stream-tracks.js';
import { zipFolder } from './zip-folder.js';

/** What outputs are planned with. */
export interface PlanContext {
  timeline: Timeline;
  engine: Pick<Engine, 'composeFrame'>;
  /** The movie's mix; absent for a silent movie. */
  mixPath?: string | undefined;
  /** Captions of the movie. */
  captions: readonly Cue[];
  /** Folder for files that are not delivered. */
  workDir: string;
  signal: AbortSignal;
}

/** How an output is made. */
export interface PlannedOutput {
  output: Output;
  /** The file that the job names. */
  path: string;
  /** All files that are delivered; some may be left out. */
  files: readonly string[];
  /** Files that the engine writes. */
  specs: OutputSpec[];
  /** Makes the output of those; absent: they are the output. Called once, in the order of the outputs. */
  finish?: () => Promise<void>;
}

/** Plans an output. `earlier`: the outputs planned before it; streams of the same settings share their tracks, posters their frame. */
export async function planOutput(output: Output, path: string, context: PlanContext, earlier: readonly PlannedOutput[]): Promise<PlannedOutput> {
  const { timeline, mixPath, engine, signal } = context;
  const { kind } = outputFormats[output.format];
  if (kind === 'stream') return planStream(output, path, context, earlier);
  if (kind === 'storyboard') {
    return {
      output,
      path,
      files: storyboardFiles(output, path, timeline.canvas),
      specs: [],
      finish: () => writeStoryboard(output, path, { timeline, engine, signal }),
    };
  }
  const spec = outputSpec(output, path, timeline.canvas, mixPath);
  if (output.sequence) return planSequence(output, path, spec, context);
  if (output.format === 'avif' && output.alpha) return planTransparentAvif(output, path, spec, context);
  if (output.format !== 'poster') return { output, path, files: [path], specs: [spec] };
  const poster = earlier.find((planned) => planned.output.format === 'poster')?.specs[0];
  const first = poster?.first ?? (await choosePosterFrame(timeline, engine, signal));
  return { output, path, files: [path], specs: [{ ...spec, first, end: first + 1 }] };
}

async function planSequence(output: Output, path: string, spec: OutputSpec, { workDir, signal }: PlanContext): Promise<PlannedOutput> {
  const folder = join(workDir, `sequence-${output.name}`);
  await mkdir(folder, { recursive: true });
  return {
    output,
    path,
    files: [path],
    specs: [{ ...spec, path: folder }],
    finish: async () => {
      await zipFolder(folder, path, signal);
      await rm(folder, { recursive: true });
    },
  };
}

/** Of 100. Higher than that of opaque images, because edges lie over other images later. */
const transparentAvifQuality: Record<Output['quality'], number> = { low: 70, medium: 80, high: 90 };

/** The engine's muxer writes AVIF without alpha only. */
function planTransparentAvif(output: Output, path: string, { crf: _crf, ...spec }: OutputSpec, { workDir }: PlanContext): PlannedOutput {
  const png = join(workDir, `still-${output.name}.png`);
  return {
    output,
    path,
    files: [path],
    specs: [{ ...spec, format: 'png', path: png }],
    finish: async () => {
      await writeFile(path, await encodeAvif(await readFile(png), transparentAvifQuality[output.quality]));
      await rm(png);
    },
  };
}

function planStream(output: Output, path: string, context: PlanContext, earlier: readonly PlannedOutput[]): PlannedOutput {
  const { timeline, mixPath } = context;
  const tracks = streamTracks(output, path, timeline.canvas, mixPath);
  const files = filesOf(path, [...tracks, ...captionTracks(context.captions)]);
  const twin = earlier.find((planned) => isSameStream(planned.output, output));
  const other = earlier.find((planned) => planned !== twin && planned.files.some((file) => files.includes(file)));
  if (other !== undefined) {
    throw new AppError('RENDER_FAILED', {
      message: `${output.path}: the files of the outputs ${JSON.stringify(other.output.name)} and ${JSON.stringify(output.name)} have the same names; write them into different folders.`,
    });
  }
  const twinTracks = twin && streamTracks(twin.output, twin.path, timeline.canvas, mixPath);
  return {
    output,
    path,
    files,
    specs: twin === undefined ? tracks.map(({ spec }) => spec) : [],
    finish: async () => {
      for (const [index, track] of tracks.entries()) if (twinTracks !== undefined) await shareFile(twinTracks[index]?.path ?? '', track.path);
      await writePlaylists(output, path, tracks, context);
    },
  };
}

/** `tracks`: also of captions. */
function filesOf(path: string, tracks: ReadonlyArray<{ label: string; path?: string }>): string[] {
  const { pathOf, playlist, manifest } = streamFiles(path);
  const playlists = tracks.map(({ label }) => pathOf(label, 'm3u8'));
  return [...tracks.map((track) => track.path ?? pathOf(track.label, 'vtt')), ...playlists, playlist, manifest];
}

/** Whether two outputs are the same tracks, as HLS and as DASH. */
function isSameStream(a: Output, b: Output): boolean {
  const settings = ({ path: _path, name: _name, format: _format, ...rest }: Output): Partial<Output> => rest;
  return a.ladder !== undefined && isDeepStrictEqual(settings(a), settings(b));
}

async function shareFile(from: string, to: string): Promise<void> {
  if (from === to) return;
  await rm(to, { force: true });
  // Not every file system has links.
  await link(from, to).catch(() => copyFile(from, to));
}

/** Writes captions, playlists and manifest of finished tracks. What `path` names is written last. */
async function writePlaylists(output: Output, path: string, tracks: readonly StreamTrack[], { captions, timeline }: PlanContext): Promise<void> {
  const { canvas } = timeline;
  const files = streamFiles(path);
  const movieSeconds = (canvas.frames * canvas.fps.den) / canvas.fps.num;
  const listed = captionTracks(captions).map((track) => ({ ...track, name: files.nameOf(track.label, 'vtt') }));
  for (const { label, cues } of listed) {
    const text = formatCaptions(cues, 'vtt', outputRange(output, movieSeconds));
    await writeFile(files.pathOf(label, 'vtt'), withTimestampMap(text, output));
  }
  const stream = await describeStream(output, tracks, listed);
  const playlistOf = (label: string): string => files.nameOf(label, 'm3u8');
  for (const track of [...stream.video, ...(stream.audio === undefined ? [] : [stream.audio])]) {
    await writeFile(files.pathOf(track.label, 'm3u8'), mediaPlaylist(track));
  }
  for (const { label, name } of listed) await writeFile(files.pathOf(label, 'm3u8'), captionsPlaylist(name, stream));
  const entries = [
    [files.playlist, multivariantPlaylist(stream, playlistOf)],
    [files.manifest, dashManifest(stream)],
  ] as const;
  for (const [file, text] of [...entries].sort(([a]) => (a === path ? 1 : -1))) await writeFile(file, text);
}
