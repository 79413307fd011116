import type { EncodeSettings } from '../timeline/index.js';
import { renderSegments } from './encode/render-segments.js';
import { stitchOutput } from './encode/stitch-output.js';
import { planMovie } from './plan/plan-movie.js';
import type { ProgressListener } from './progress.js';
import { createProgress } from './progress.js';
import type { RenderParts } from './render-parts.js';
import { type RenderProfile, timed } from './render-profile.js';

export interface RenderRequest {
  script: unknown;
  /** Existing folder for temporary files; the caller deletes it. */
  workDir: string;
  /** Where the finished file appears, whole, under this name. */
  outputPath: string;
  signal: AbortSignal;
  onProgress: ProgressListener;
  /** Called once when all lengths are known, before the first frame; a rejection ends the render. */
  onPlanned?: (plan: { durationSeconds: number; credits: number }) => Promise<void>;
  encode?: Partial<EncodeSettings>;
  /** Told where the time goes. */
  profile?: RenderProfile;
}

export interface RenderOutput {
  durationSeconds: number;
  sizeBytes: number;
  frames: number;
  width: number;
  height: number;
  warnings: string[];
  encoder: string;
}

/** The whole act for one job, in order. */
export async function renderMovie(request: RenderRequest, parts: RenderParts): Promise<RenderOutput> {
  const progress = createProgress(request.onProgress);
  progress.stage('preparing');
  const plan = await planMovie(request, parts, progress.within(0, 0.05));
  await request.onPlanned?.({ durationSeconds: plan.durationSeconds, credits: plan.credits });
  const encoded = await renderSegments(plan, request, parts, {
    stage: progress.stage,
    frames: progress.frames,
    report: progress.within(0.05, 0.97),
  });
  progress.stage('stitching');
  const output = await timed(request.profile, 'stitch', () => stitchOutput(encoded, request, parts.engine));
  progress.finish();
  return {
    durationSeconds: output.durationSeconds,
    sizeBytes: output.bytes,
    frames: output.frames,
    width: plan.timeline.canvas.width,
    height: plan.timeline.canvas.height,
    warnings: [...plan.warnings, ...encoded.warnings],
    encoder: encoded.encoder,
  };
}
