import { join } from 'node:path';
import { cutSound, type EncodeSettings, type Timeline } from '../../timeline/index.js';
import { allOrNone } from '../all-or-none.js';
import type { Plan } from '../plan/plan-movie.js';
import type { RenderParts } from '../render-parts.js';
import { type RenderProfile, timed } from '../render-profile.js';
import { type PicturePlan, renderPicture } from './render-picture.js';
import { Reuse } from './reuse.js';

export interface EncodedParts {
  segmentPaths: string[];
  /** Absent when nothing is heard. */
  audioPath?: string;
  /** The one that made the segments. */
  encoder: EncodeSettings['encoder'];
  warnings: string[];
}

interface SegmentRequest {
  workDir: string;
  signal: AbortSignal;
  profile?: RenderProfile;
}

type Parts = Pick<RenderParts, 'engine' | 'packetCache' | 'onReuse' | 'onEncoder' | 'onFallback' | 'sessionWaitsMs'>;

/** The sound's share of the progress, beside the picture's. */
const AUDIO_SHARE = 0.03;

/** The picture, one segment per section, and beside it the sound: rendered, or taken from an earlier render. */
export async function renderSegments(plan: PicturePlan, request: SegmentRequest, parts: Parts, progress: SegmentProgress): Promise<EncodedParts> {
  const { timeline, uncached } = plan;
  const hasSound = timeline.audio.length > 0;
  const share = hasSound ? AUDIO_SHARE : 0;
  let pictureDone = 0;
  let audioDone = 0;
  const report = (): void => progress.report(pictureDone * (1 - share) + audioDone * share);

  const reuse = new Reuse(parts);
  const onPicture = (stage: string, done: number): void => {
    pictureDone = done;
    progress.frames(Math.round(done * timeline.canvas.frames));
    progress.stage(stage);
    report();
  };
  const onSound = (done: number): void => {
    audioDone = done;
    report();
  };
  try {
    const [picture, audioPath] = await allOrNone(request.signal, (signal) => {
      const call = { ...request, signal, reuse, parts };
      return [renderPicture(plan, { ...call, onProgress: onPicture }), hasSound ? renderSound({ timeline, uncached }, call, onSound) : undefined];
    });
    return { ...picture, ...(audioPath === undefined ? {} : { audioPath }) };
  } finally {
    await reuse.settled();
  }
}

export interface SegmentProgress {
  stage(name: string): void;
  frames(count: number): void;
  report(part: number): void;
}

interface Call extends SegmentRequest {
  reuse: Reuse;
  parts: Parts;
}

async function renderSound(
  { timeline, uncached }: Pick<Plan, 'timeline' | 'uncached'>,
  { workDir, signal, profile, reuse, parts }: Call,
  onProgress: (done: number) => void,
): Promise<string> {
  const path = join(workDir, 'audio.nut');
  const cut = { timeline: cutSound(timeline), range: { first: 0, end: timeline.canvas.frames } };
  await reuse.packets(cut, { part: 'sound', path, mayReuse: !uncached.sound }, () =>
    timed(profile, 'sound', () =>
      parts.engine.renderAudio(documentOf(cut.timeline), path, { signal, onProgress: (samples) => onProgress(samples / totalSamples(timeline)) }),
    ),
  );
  onProgress(1);
  return path;
}

function documentOf(timeline: Timeline): Buffer {
  return Buffer.from(JSON.stringify(timeline));
}

function totalSamples(timeline: Timeline): number {
  const { frames, fps } = timeline.canvas;
  return Math.max(1, (frames * fps.den * 48_000) / fps.num);
}
