import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { formatProblem } from '../../errors/index.js';
import type { PlannedFinish, PlannedSegment, RenderPlan } from '../../jobs/index.js';
import { cutAudio, type Source } from '../../timeline/index.js';
import { segmentKey } from '../encode/segment-key.js';
import { type SizedSegment, segmentsOf, type VideoPlan } from '../encode/segments.js';
import { createSourceHashes, type SourceHashes } from '../encode/source-contents.js';
import { divideOutputs, neededStreams, type OutputFiles } from '../outputs/output-files.js';
import { planVideos, type SegmentedVideo, soundBitrates } from '../outputs/segmented-videos.js';
import { drawAndCompile, type Plan } from '../plan/plan-movie.js';
import { resolveMovie } from '../plan/resolve-movie.js';
import { createProgress } from '../progress.js';
import type { RenderContext } from '../render-context.js';
import { type RenderOutput, type RenderRequest, renderResolved } from '../render-movie.js';
import { FINISH_DOCUMENT, type FinishDocument } from './finish-outputs.js';

/** Cost of encoding audio relative to video of the same length. */
const AUDIO_WEIGHT = 0.03;

/**
 * Plans a movie for rendering on several hosts: writes `layout.json` and the timelines of the segments into the job folder. A movie none of
 * whose outputs has segments is rendered instead.
 */
export async function planDistributed(request: RenderRequest, parts: RenderContext): Promise<RenderOutput> {
  const progress = createProgress(request.onProgress);
  progress.stage('preparing');
  const resolved = await resolveMovie(request, parts, progress.within(0, 0.05));
  const { durationSeconds, credits, movie } = resolved;
  await request.onPlanned?.({ durationSeconds, credits });
  const files = divideOutputs(movie, request.outputPath);
  if (files !== undefined && !neededStreams(files, false).video) return renderResolved(resolved, request, { parts, progress });
  const plan = await drawAndCompile(resolved, request, parts);
  const { canvas, encode } = plan.timeline;
  const videos = await planVideos(files, plan, parts);
  const identity = (await parts.engine.identity()) ?? '';
  const writer = new SegmentWriter(request.workDir, identity, plan);
  const encodings: RenderPlan['encodings'] = [{ encoder: encode.encoder, parts: await writer.write(videos, files) }];
  const inSoftware = videos.map((video) => ({ ...video, plan: replaceEncoder(video.plan) }));
  if (videos.some((video) => video.plan.softwareFallback !== undefined)) {
    encodings.push({ encoder: inSoftware[0]?.plan.timeline.encode.encoder ?? '', parts: await writer.write(inSoftware, files) });
  }
  const finish = files && (await writer.writeFinish(plan));
  const warnings = plan.warnings.map(formatProblem);
  const sources = writer.sources();
  const layout: RenderPlan = { identity, durationSeconds, frames: canvas.frames, warnings, encodings, sources, ...(finish && { finish }) };
  await writeFile(join(request.workDir, 'layout.json'), JSON.stringify(layout));
  return { durationSeconds, sizeBytes: 0, frames: canvas.frames, width: canvas.width, height: canvas.height, warnings, encoder: encode.encoder };
}

/** A video with the encoder that replaces a failed one. */
function replaceEncoder(plan: VideoPlan): VideoPlan {
  const { softwareFallback, timeline } = plan;
  return softwareFallback === undefined ? plan : { ...plan, timeline: { ...timeline, encode: softwareFallback } };
}

type SegmentDescription = Pick<PlannedSegment, 'kind' | 'stage' | 'weight' | 'document' | 'video' | 'size' | 'bitrate'>;

/** Writes timelines into the job folder, with sources named by their content. */
class SegmentWriter {
  readonly #folder: string;
  readonly #identity: string;
  readonly #plan: Plan;
  readonly #contents: SourceHashes = createSourceHashes();
  readonly #pathOf = new Map<string, string>();

  constructor(folder: string, identity: string, plan: Plan) {
    this.#folder = folder;
    this.#identity = identity;
    this.#plan = plan;
  }

  /** Writes the segments of videos and their sounds. */
  async write(videos: readonly SegmentedVideo[], files: OutputFiles | undefined): Promise<PlannedSegment[]> {
    const written: PlannedSegment[] = [];
    for (const video of videos) written.push(...(await this.#writeVideo(video)));
    const { timeline, uncached } = this.#plan;
    if (timeline.audio.length === 0) return written;
    const { frames } = timeline.canvas;
    const encode = videos[0]?.plan.timeline.encode ?? timeline.encode;
    for (const bitrate of soundBitrates(files, timeline.encode)) {
      const sound = cutAudio({ ...timeline, encode: { ...encode, audioBitrate: bitrate } });
      const description: SegmentDescription = {
        kind: 'sound',
        stage: written[0]?.stage ?? 'preparing',
        weight: frames * AUDIO_WEIGHT,
        document: `part-${encode.encoder}-sound${files === undefined ? '' : `-${bitrate}`}.json`,
        ...(files !== undefined && { bitrate }),
      };
      written.push(await this.#writeSegment({ timeline: sound, range: { first: 0, end: frames } }, description, !uncached.audio));
    }
    return written;
  }

  async #writeVideo({ outputs: [output], plan }: SegmentedVideo): Promise<PlannedSegment[]> {
    const written: PlannedSegment[] = [];
    const { encoder } = plan.timeline.encode;
    for (const { section, label, cut } of segmentsOf(plan, this.#folder)) {
      const description: SegmentDescription = {
        kind: 'picture',
        stage: `rendering_${label}`,
        weight: cut.range.end - cut.range.first,
        document: `part-${output === undefined ? '' : `${output.name}-`}${encoder}-${section}.json`,
        ...(output !== undefined && { video: output.name }),
        ...(cut.size && { size: cut.size }),
      };
      written.push(await this.#writeSegment(cut, description, !plan.uncached.sections.has(section)));
    }
    return written;
  }

  async #writeSegment(cut: SizedSegment, description: SegmentDescription, mayReuse: boolean): Promise<PlannedSegment> {
    const { sources, names } = await this.#nameSources(cut.timeline.sources);
    await writeFile(join(this.#folder, description.document), JSON.stringify({ ...cut.timeline, sources }));
    const key = mayReuse && this.#identity !== '' ? await segmentKey(cut, this.#identity, this.#contents) : undefined;
    return { ...description, range: cut.range, sources: names, ...(key !== undefined && { key }) };
  }

  /** Writes what the last step of a movie with `outputs` reads. */
  async writeFinish({ movie, timeline, captions }: Plan): Promise<PlannedFinish> {
    const { sources, names } = await this.#nameSources(timeline.sources);
    const { outputs, width, height, fps } = movie;
    const document: FinishDocument = { movie: { outputs, width, height, fps }, timeline: { ...timeline, sources }, captions };
    await writeFile(join(this.#folder, FINISH_DOCUMENT), JSON.stringify(document));
    return { document: FINISH_DOCUMENT, sources: names };
  }

  sources(): RenderPlan['sources'] {
    return [...this.#pathOf].map(([name, path]) => ({ name, path }));
  }

  async #nameSources(given: readonly Source[]): Promise<{ sources: Source[]; names: string[] }> {
    const sources = await Promise.all(given.map((source) => this.#nameSource(source)));
    return { sources, names: [...new Set(sources.map(({ path }) => path))] };
  }

  async #nameSource(source: Source): Promise<Source> {
    const name = await contentNameOf(source, this.#contents);
    this.#pathOf.set(name, source.path);
    return { ...source, path: name };
  }
}

/** Content-addressed file name; keeps the extension, which libraries use to detect the format. */
async function contentNameOf({ path, kind }: Source, contents: SourceHashes): Promise<string> {
  const ending = /^\.[a-z0-9]{1,8}$/i.exec(extname(path))?.[0] ?? '';
  const hash = createHash('sha256').update(`${kind} ${ending} ${await contents.hashOf(path)}`);
  return `${hash.digest('hex')}${ending.toLowerCase()}`;
}
