import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { formatProblem } from '../../errors/index.js';
import type { PlannedSegment, RenderPlan } from '../../jobs/index.js';
import { cutAudio, cutSegment, type EncodeSettings, type SegmentTimeline, type Source, splitRange, type Timeline } from '../../timeline/index.js';
import { segmentKey } from '../encode/segment-key.js';
import { createSourceHashes, type SourceHashes } from '../encode/source-contents.js';
import { drawAndCompile, type Plan } from '../plan/plan-movie.js';
import { resolveMovie } from '../plan/resolve-movie.js';
import { createProgress } from '../progress.js';
import type { RenderContext } from '../render-context.js';
import type { RenderOutput, RenderRequest } from '../render-movie.js';

/** Cost of encoding audio relative to video of the same length. */
const AUDIO_WEIGHT = 0.03;

/** Plans a movie for rendering on several hosts: writes `layout.json` and the timelines of the segments into the job folder. */
export async function planDistributed(request: RenderRequest, parts: RenderContext): Promise<RenderOutput> {
  const progress = createProgress(request.onProgress);
  progress.stage('preparing');
  const resolved = await resolveMovie(request, parts, progress.within(0, 0.05));
  const { durationSeconds, credits } = resolved;
  await request.onPlanned?.({ durationSeconds, credits });
  const plan = await drawAndCompile(resolved, request, parts);
  const { canvas, encode } = plan.timeline;
  const identity = (await parts.engine.identity()) ?? '';
  const writer = createSegmentWriter(request.workDir, identity, plan);
  const encodings: RenderPlan['encodings'] = [];
  for (const settings of [encode, ...(plan.softwareFallback === undefined ? [] : [plan.softwareFallback])]) {
    encodings.push({ encoder: settings.encoder, parts: await writer.write(settings) });
  }
  const warnings = plan.warnings.map(formatProblem);
  const layout: RenderPlan = { identity, durationSeconds, frames: canvas.frames, warnings, encodings, sources: writer.sources() };
  await writeFile(join(request.workDir, 'layout.json'), JSON.stringify(layout));
  return { durationSeconds, sizeBytes: 0, frames: canvas.frames, width: canvas.width, height: canvas.height, warnings, encoder: encode.encoder };
}

interface SegmentWriter {
  write(settings: EncodeSettings): Promise<PlannedSegment[]>;
  sources(): RenderPlan['sources'];
}

function createSegmentWriter(folder: string, identity: string, { timeline: planned, uncached }: Plan): SegmentWriter {
  const contents = createSourceHashes();
  const pathOf = new Map<string, string>();
  const nameSource = async (source: Source): Promise<Source> => {
    const name = await contentNameOf(source, contents);
    pathOf.set(name, source.path);
    return { ...source, path: name };
  };
  const writeSegment = async (
    cut: SegmentTimeline,
    description: Pick<PlannedSegment, 'kind' | 'stage' | 'weight' | 'document'>,
    mayReuse: boolean,
  ): Promise<PlannedSegment> => {
    const sources = await Promise.all(cut.timeline.sources.map(nameSource));
    await writeFile(join(folder, description.document), JSON.stringify({ ...cut.timeline, sources }));
    const key = mayReuse && identity !== '' ? await segmentKey(cut, identity, contents) : undefined;
    return { ...description, range: cut.range, sources: [...new Set(sources.map(({ path }) => path))], ...(key !== undefined && { key }) };
  };
  const write = async (encode: EncodeSettings): Promise<PlannedSegment[]> => {
    const timeline: Timeline = { ...planned, encode };
    const written: PlannedSegment[] = [];
    for (const [index, { label }] of timeline.sections.entries()) {
      const cut = cutSegment(timeline, index);
      const document = `part-${encode.encoder}-${index}.json`;
      for (const range of splitRange(cut.range, timeline)) {
        const description = { kind: 'picture', stage: `rendering_${label}`, weight: range.end - range.first, document } as const;
        written.push(await writeSegment({ ...cut, range }, description, !uncached.sections.has(index)));
      }
    }
    if (timeline.audio.length === 0) return written;
    const { frames } = timeline.canvas;
    const sound = {
      kind: 'sound',
      stage: written[0]?.stage ?? 'preparing',
      weight: frames * AUDIO_WEIGHT,
      document: `part-${encode.encoder}-sound.json`,
    } as const;
    written.push(await writeSegment({ timeline: cutAudio(timeline), range: { first: 0, end: frames } }, sound, !uncached.audio));
    return written;
  };
  return { write, sources: () => [...pathOf].map(([name, path]) => ({ name, path })) };
}

/** Content-addressed file name; keeps the extension, which libraries use to detect the format. */
async function contentNameOf({ path, kind }: Source, contents: SourceHashes): Promise<string> {
  const ending = /^\.[a-z0-9]{1,8}$/i.exec(extname(path))?.[0] ?? '';
  const hash = createHash('sha256').update(`${kind} ${ending} ${await contents.hashOf(path)}`);
  return `${hash.digest('hex')}${ending.toLowerCase()}`;
}
