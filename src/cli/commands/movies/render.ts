import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../../config/index.js';
import type { RenderProfile } from '../../../render/index.js';
import type { EncodeSettings } from '../../../timeline/index.js';
import { InterruptedError } from '../../exit-codes.js';
import { withLocalRender } from '../../local-render.js';
import { withMovieFile } from '../../movie-file.js';
import { cacheFolder, numberOption } from '../../options.js';
import { chooseOutputs, collect } from '../../output-options.js';
import { painterFor } from '../../paint.js';
import { createProgressBar } from '../../progress-bar.js';
import { collectSettings, setOption, setVariables } from '../../set-variables.js';

interface RenderOptions {
  output: string[];
  set?: string[];
  preset?: string;
  crf?: number;
  stillKeyframes?: number;
  /** False: `--no-copy`. */
  copy?: boolean;
  cache?: string | boolean;
  json?: boolean;
  profile?: boolean;
}

export function registerRenderCommand(program: Command): void {
  program
    .command('render')
    .description('render a movie to a file, without a server')
    .argument('<movie>', 'movie script (JSON); relative paths in it refer to its folder')
    .requiredOption(
      '-o, --output <file>',
      'file to write: .mp4, .webm, .mov, .gif, .png, .mp3 and so on; NAME=FILE for one of several outputs; may be repeated',
      collect,
    )
    .option(...setOption, collectSettings)
    .option('--preset <name>', 'encoder preset; default: set by the quality of the movie')
    .option('--crf <number>', 'encoder quality, 0..51 for h264 and hevc, 0..63 for av1; default: set by the quality of the movie', numberOption(0, 63))
    .option('--still-keyframes <seconds>', 'interval of key frames in stills, default 10 s; 0 encodes stills frame by frame', numberOption(0, 3600))
    .option('--no-copy', 're-encode clips also where they are shown unchanged')
    .option('--cache <folder>', 'cache folder of encoded scenes; default: FRAMEWRIGHT_CACHE_DIR, else your cache folder')
    .option('--no-cache', 'neither read nor write the cache')
    .option('--profile', 'print where the time went, and write a chart to OUT.profile.svg')
    .option('--json', 'print one JSON object when done')
    .action((moviePath: string, options: RenderOptions) => withMovieFile(moviePath, (script) => render(script, moviePath, options)));
}

async function render(given: unknown, moviePath: string, options: RenderOptions): Promise<void> {
  const { script, outputPath, outputPaths } = chooseOutputs(setVariables(given, options.set), options.output);
  for (const path of [outputPath, ...outputPaths.values()]) await mkdir(dirname(path), { recursive: true });
  const cancel = new AbortController();
  process.once('SIGINT', () => cancel.abort());
  const bar = createProgressBar();
  const config = loadConfig();
  const startedAt = performance.now();
  let profile: RenderProfile | undefined;
  const output = await withLocalRender(
    moviePath,
    config,
    async (parts, workDir) => {
      const { renderMovie, RenderProfile } = await import('../../../render/index.js');
      if (options.profile) {
        profile = new RenderProfile();
        profile.add('start', performance.now() / 1000);
      }
      return renderMovie(
        {
          script,
          workDir,
          outputPath,
          outputPaths,
          signal: cancel.signal,
          onProgress: bar.update,
          encode: encodeOverrides(options),
          ...(profile && { profile }),
        },
        parts,
      );
    },
    { cacheDir: cacheFolder(options.cache, config.cache) },
  )
    .catch((error: unknown) => {
      throw cancel.signal.aborted ? new InterruptedError() : error;
    })
    .finally(() => bar.stop());
  const seconds = (performance.now() - startedAt) / 1000;
  const paint = painterFor(process.stderr);
  for (const warning of output.warnings) console.error(`${paint('yellow', 'warning:')} ${warning}`);
  if (profile !== undefined) await reportProfile(profile, performance.now() / 1000, outputPath);
  if (options.json) {
    console.log(JSON.stringify({ path: outputPath, ...output, renderSeconds: seconds }));
    return;
  }
  const { width, height, durationSeconds, sizeBytes, frames } = output;
  for (const path of output.outputs?.map((file) => file.path) ?? [outputPath]) console.log(path);
  console.log(
    `${width} × ${height}, ${durationSeconds.toFixed(2)} s, ${(sizeBytes / 1e6).toFixed(1)} MB; ` +
      `${(frames / seconds).toFixed(0)} frames/s, ${(durationSeconds / seconds).toFixed(1)} × real time`,
  );
}

/** Prints the profile to standard error and writes its chart beside the video. */
async function reportProfile(profile: RenderProfile, wallSeconds: number, outputPath: string): Promise<void> {
  const [{ profileTable }, { profileChart }] = await Promise.all([import('../../profile/profile-table.js'), import('../../profile/profile-chart.js')]);
  const chartPath = `${outputPath.replace(/\.[a-z0-9]+$/i, '')}.profile.svg`;
  await writeFile(chartPath, profileChart(profile, wallSeconds));
  for (const line of [...profileTable(profile, wallSeconds), chartPath]) console.error(line);
}

function encodeOverrides(options: RenderOptions): Partial<EncodeSettings> {
  return {
    ...(options.preset !== undefined && { preset: options.preset }),
    ...(options.crf !== undefined && { crf: options.crf }),
    ...(options.copy === false && { copy: false }),
    ...(options.stillKeyframes !== undefined && { stillKeyframeSeconds: options.stillKeyframes }),
  };
}
