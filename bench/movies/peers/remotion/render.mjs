import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A program: `render.mjs bundle PACKAGES PUBLIC OUT` joins the movies with the files that they show, `render.mjs render PACKAGES BUNDLE JOB`
 * renders one of them. PACKAGES is the folder that Remotion was installed in.
 */

const [act, packages, from, to] = process.argv.slice(2);
const load = createRequire(join(packages, 'package.json'));

async function bundleMovies() {
  const { bundle } = load('@remotion/bundler');
  const withPackages = (configuration) => ({
    ...configuration,
    resolve: { ...configuration.resolve, modules: [join(packages, 'node_modules')] },
  });
  await bundle({
    ...{ entryPoint: fileURLToPath(new URL('movie.mjs', import.meta.url)), publicDir: from, outDir: to, rootDir: packages },
    webpackOverride: withPackages,
  });
}

async function renderMovie() {
  const { renderMedia, selectComposition } = load('@remotion/renderer');
  const { output, settings, browserExecutable, inputProps } = JSON.parse(readFileSync(to, 'utf8'));
  const { preset, crf, gopSize } = settings;
  const browser = { serveUrl: from, inputProps, browserExecutable, logLevel: 'error', chromeMode: 'headless-shell' };
  const composition = await selectComposition({ ...browser, id: 'movie' });
  await renderMedia({
    ...browser,
    composition,
    ...{ outputLocation: output, codec: 'h264', crf, x264Preset: preset, gopSize, pixelFormat: 'yuv420p', colorSpace: 'bt709', audioBitrate: '128k' },
  });
}

await (act === 'bundle' ? bundleMovies() : renderMovie());
process.exit();
