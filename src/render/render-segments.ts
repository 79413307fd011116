import { join } from 'node:path';
import type { Engine } from '../engine/index.js';
import type { Section, Timeline } from '../timeline/index.js';
import { segmentPath } from './segment-path.js';

export interface EncodedParts {
  segmentPaths: string[];
  /** Absent when nothing is heard. */
  audioPath?: string;
}

interface SegmentRequest {
  workDir: string;
  signal: AbortSignal;
}

/** The sound's share of the progress, beside the picture's. */
const AUDIO_SHARE = 0.03;

/** Renders the picture, one segment per section, and beside it the sound; both from the same timeline bytes. */
export async function renderSegments(timeline: Timeline, request: SegmentRequest, engine: Engine, progress: SegmentProgress): Promise<EncodedParts> {
  const document = Buffer.from(JSON.stringify(timeline));
  const failed = new AbortController();
  const signal = AbortSignal.any([request.signal, failed.signal]);
  const hasSound = timeline.audio.length > 0;
  const audioPath = join(request.workDir, 'audio.nut');
  const share = hasSound ? AUDIO_SHARE : 0;
  let pictureDone = 0;
  let audioDone = 0;
  const report = (): void => progress.report(pictureDone * (1 - share) + audioDone * share);

  const picture = renderPicture(timeline, document, { ...request, signal }, engine, (stage, done) => {
    pictureDone = done;
    progress.stage(stage);
    report();
  });
  const sound = hasSound
    ? engine.renderAudio(document, audioPath, {
        signal,
        onProgress: (samples) => {
          audioDone = samples / totalSamples(timeline);
          report();
        },
      })
    : Promise.resolve();
  try {
    const [segmentPaths] = await Promise.all([picture, sound]);
    return { segmentPaths, ...(hasSound ? { audioPath } : {}) };
  } catch (error) {
    failed.abort();
    await Promise.allSettled([picture, sound]);
    throw error;
  }
}

export interface SegmentProgress {
  stage(name: string): void;
  report(part: number): void;
}

async function renderPicture(
  timeline: Timeline,
  document: Buffer,
  request: SegmentRequest,
  engine: Engine,
  onProgress: (stage: string, done: number) => void,
): Promise<string[]> {
  const paths: string[] = [];
  for (const [index, segment] of segmentsOf(timeline).entries()) {
    const stage = `rendering_${segment.label}`;
    const path = segmentPath(request.workDir, index);
    onProgress(stage, segment.first / timeline.canvas.frames);
    await engine.renderSegment(document, { first: segment.first, end: segment.end }, path, {
      signal: request.signal,
      onProgress: (frames) => onProgress(stage, (segment.first + frames) / timeline.canvas.frames),
    });
    paths.push(path);
  }
  return paths;
}

interface Segment {
  label: string;
  first: number;
  end: number;
}

/** One per section: what a template changes is mostly one scene. The last takes what overlays need past the scenes. */
export function segmentsOf(timeline: Pick<Timeline, 'canvas' | 'sections'>): Segment[] {
  const last = timeline.sections.length - 1;
  return timeline.sections.map((section: Section, index) => ({
    label: section.label,
    first: section.start,
    end: index === last ? timeline.canvas.frames : section.start + section.frames,
  }));
}

function totalSamples(timeline: Timeline): number {
  const { frames, fps } = timeline.canvas;
  return Math.max(1, (frames * fps.den * 48_000) / fps.num);
}
