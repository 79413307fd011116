import { compileAudio, type EncodeSettings } from '../timeline/index.js';
import { allOrNone } from './all-or-none.js';
import { renderPicture } from './encode/render-picture.js';
import { renderSound } from './encode/render-sound.js';
import { Reuse } from './encode/reuse.js';
import { stitchOutput } from './encode/stitch-output.js';
import { drawMovie } from './plan/plan-movie.js';
import { settleMovie } from './plan/settle-movie.js';
import { isSoundUncached } from './plan/uncached.js';
import type { ProgressListener } from './progress.js';
import { besideEachOther, createProgress } from './progress.js';
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

/** The whole act for one job. The sound is encoded beside all that is drawn and the picture. */
export async function renderMovie(request: RenderRequest, parts: RenderParts): Promise<RenderOutput> {
  const { workDir, profile } = request;
  const progress = createProgress(request.onProgress);
  progress.stage('preparing');
  const settled = await settleMovie(request, parts, progress.within(0, 0.05));
  const { movie, durationSeconds, credits } = settled;
  await request.onPlanned?.({ durationSeconds, credits });

  const sound = compileAudio({ ...settled, ...settled.settings });
  const hasSound = sound.audio.length > 0;
  const { onPicture, onSound } = besideEachOther(progress, { from: 0.05, to: 0.97, frames: sound.canvas.frames, hasSound });
  const reuse = new Reuse(parts);
  const [picture, audioPath] = await allOrNone(request.signal, (signal) => {
    const call = { workDir, signal, ...(profile && { profile }), reuse, parts };
    const drawAndRender = async () => {
      const plan = await drawMovie(settled, { ...request, signal }, parts);
      const encoded = await renderPicture(plan, { ...call, onProgress: onPicture });
      return { ...encoded, warnings: [...plan.warnings, ...encoded.warnings] };
    };
    return [drawAndRender(), hasSound ? renderSound(sound, { ...call, mayReuse: !isSoundUncached(movie), onProgress: onSound }) : undefined];
  }).finally(() => reuse.settled());

  progress.stage('stitching');
  const packets = { segmentPaths: picture.segmentPaths, ...(audioPath !== undefined && { audioPath }) };
  const output = await timed(profile, 'stitch', () => stitchOutput(packets, request, parts.engine));
  progress.finish();
  return {
    durationSeconds: output.durationSeconds,
    sizeBytes: output.bytes,
    frames: output.frames,
    width: movie.width,
    height: movie.height,
    warnings: picture.warnings,
    encoder: picture.encoder,
  };
}
