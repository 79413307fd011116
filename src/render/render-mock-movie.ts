import { setTimeout as sleep } from 'node:timers/promises';
import { estimateMovie, type Movie, type Output, parseMovie } from '../script/index.js';
import { checkWebhook } from './plan/check-webhook.js';
import { generationCheck } from './plan/generate-media.js';
import { createProgress } from './progress.js';
import type { RenderContext } from './render-context.js';
import type { RenderOutput, RenderRequest } from './render-movie.js';
import { renderMovie } from './render-movie.js';

/** Low enough that a placeholder of one hour encodes in less than a second. */
const MOCK_FPS = 2;
const MOCK_WIDTH = 640;
const MOCK_HEIGHT = 360;
const STAGE_MS = 250;
/** Outputs are not as cheap as the still video. */
const MAX_MOCK_OUTPUT_SECONDS = 10;

/**
 * Renders the job of a sandbox key: runs every check, reports every stage within about a second, and writes a placeholder video
 * of the estimated length. Nothing of the script is fetched or drawn.
 */
export async function renderMockMovie(request: RenderRequest, parts: RenderContext): Promise<RenderOutput> {
  const movie = parseMovie(request.script, { checkUrl: parts.checkUrl, components: parts.packs, ...generationCheck(parts) });
  await checkWebhook(movie, parts.checkResolved);
  const { durationSeconds } = estimateMovie(movie);
  const progress = createProgress(request.onProgress);
  progress.stage('preparing');
  await sleep(STAGE_MS, undefined, { signal: request.signal });
  for (const index of movie.scenes.keys()) {
    progress.stage(`rendering_scene_${index + 1}`);
    progress.within(0, 0.9)((index + 1) / movie.scenes.length);
  }
  await sleep(STAGE_MS, undefined, { signal: request.signal });
  progress.stage('stitching');
  const output = await renderMovie(
    {
      script: mockScript(movie.outputs.length === 0 ? durationSeconds : Math.min(durationSeconds, MAX_MOCK_OUTPUT_SECONDS), movie.codec),
      workDir: request.workDir,
      outputPath: request.outputPath,
      outputs: movie.outputs.map(mockOutput),
      signal: request.signal,
      onProgress: () => {},
    },
    parts,
  );
  progress.finish();
  // Warnings of the placeholder do not concern the script.
  return { ...output, durationSeconds, warnings: [] };
}

/** The output as a placeholder: small, and of the whole movie. */
function mockOutput({ range: _range, time: _time, maxBytes: _maxBytes, ...output }: Output): Output {
  const size = { width: MOCK_WIDTH, height: MOCK_HEIGHT };
  return { ...output, ...size, fps: { num: MOCK_FPS, den: 1 }, ...(output.ladder !== undefined && { ladder: [size] }) };
}

function mockScript(durationSeconds: number, codec: Movie['codec']): unknown {
  return {
    width: MOCK_WIDTH,
    height: MOCK_HEIGHT,
    fps: MOCK_FPS,
    codec,
    quality: 'low',
    scenes: [
      {
        duration: Math.max(1 / MOCK_FPS, durationSeconds),
        background: '#1f2937',
        elements: [{ type: 'text', text: 'Sandbox', font_size: 48, color: '#e5e7eb', position: 'center' }],
      },
    ],
  };
}
