import { access, constants, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment, loadConfig } from '../../config/index.js';
import { openMovieFile } from '../movie-file.js';
import { createProgressBar } from '../progress-bar.js';
import { ApiClient, type Completed } from './api-client.js';
import { exampleMediaOf, makeExampleMedia } from './example-media.js';
import { startMediaServer } from './media-server.js';
import { createDemoKey, startServiceProcess } from './service-process.js';

const examplesFolder = fileURLToPath(new URL('../../../examples/', import.meta.url));

export interface DemoOptions {
  movie?: string;
  output?: string;
  media?: boolean;
  json?: boolean;
}

/** Prints a line for people, with --json to standard error. */
type Print = (topic: string, text: string) => void;

/** Starts a service, renders an example movie through its REST API as a client would, downloads the video, and stops the service. */
export async function runDemo(options: DemoOptions): Promise<void> {
  const print = options.json ? console.error : console.log;
  const printLine: Print = (topic, text) => print(`${topic.padEnd(9)} ${text}`);
  print('Framewright demo\n');
  const moviePath = options.movie ?? join(examplesFolder, 'showcase.json');
  const { script } = await openMovieFile(moviePath);
  const mediaFolder = await makeExampleMedia(await writableFolder(examplesFolder), {
    ...(!options.media && { names: exampleMediaOf(script) }),
    onMake: (name) => printLine('making', `${name} (the first time only)`),
  });
  if (options.media) {
    if (options.json) console.log(JSON.stringify({ media: mediaFolder }));
    else printLine('media', shortPath(mediaFolder));
    return;
  }
  const outputPath = resolve(options.output ?? join(await writableFolder(resolve('out')), `${basename(moviePath, '.json')}.mp4`));
  await mkdir(dirname(outputPath), { recursive: true });
  const logPath = `${outputPath}.service.log`;
  try {
    const video = await renderOverRest(
      script,
      mediaFolder,
      { outputPath, logPath },
      { print: printLine, screen: options.json ? process.stderr : process.stdout },
    );
    await rm(logPath);
    if (options.json) console.log(JSON.stringify(video));
    else report(video, printLine);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nThe service's log: ${shortPath(logPath)}`, { cause: error });
  }
}

/** Output of the demo with --json. */
interface DemoVideo {
  path: string;
  duration_seconds: number;
  frames: number;
  size_bytes: number;
  credits_used: number;
  /** Time from submission to the end of the render. */
  seconds: number;
}

async function renderOverRest(
  script: unknown,
  mediaFolder: string,
  { outputPath, logPath }: { outputPath: string; logPath: string },
  { print, screen }: { print: Print; screen: NodeJS.WriteStream },
): Promise<DemoVideo> {
  await using media = await startMediaServer(mediaFolder);
  const env = await serviceEnvironment(media.host);
  await using service = await startServiceProcess(env, logPath);
  print('service', service.address);
  const client = new ApiClient(service.address, await createDemoKey(env));
  print('account', 'demo, with a new key and 100 more credits');

  const startedAt = performance.now();
  const submitted = await client.submit(withMediaUrls(script, `http://${media.host}/`));
  print('job', `${submitted.job_id}, estimated ${submitted.estimated_credits} credits`);
  const bar = createProgressBar(screen);
  let completed: Completed;
  try {
    completed = await client.follow(submitted.job_id, (progress, stage) => bar.update(progress, stage));
    bar.update(1, 'complete');
  } finally {
    bar.stop();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const sizeBytes = await client.download(completed.outputUri, outputPath);
  const { fps = 30 } = script as { fps?: number };
  return {
    path: outputPath,
    duration_seconds: completed.durationSeconds,
    frames: Math.round(completed.durationSeconds * fps),
    size_bytes: sizeBytes,
    credits_used: completed.creditsUsed,
    seconds,
  };
}

function report(video: DemoVideo, print: Print): void {
  console.log('');
  print('video', shortPath(video.path));
  print('length', `${video.duration_seconds.toFixed(1)} s, ${video.frames} frames, ${(video.size_bytes / 1e6).toFixed(1)} MB`);
  print('cost', `${video.credits_used} credits`);
  print(
    'speed',
    `${video.seconds.toFixed(1)} s from submission to file: ${Math.round(video.frames / video.seconds)} frames/s, ${(video.duration_seconds / video.seconds).toFixed(2)} × real time`,
  );
  const { port } = loadConfig().http;
  print('studio', `npm start, then http://127.0.0.1:${port}/ with a key (npm run -s framewright -- keys create --account demo --mode live)`);
}

/** Default settings on a free port; the only private address that the service may fetch from is the demo's media server. */
async function serviceEnvironment(mediaHost: string): Promise<Record<string, string | undefined>> {
  const dataDir = await writableFolder(loadConfig().storage.dataDir);
  return childEnvironment({
    HOST: '127.0.0.1',
    PORT: '0',
    FRAMEWRIGHT_PUBLIC_URL: '',
    FRAMEWRIGHT_DATA_DIR: dataDir,
    FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: mediaHost,
  });
}

/** Replaces relative sources, which only the command line accepts, by URLs. */
function withMediaUrls(script: unknown, baseUrl: string): unknown {
  return JSON.parse(JSON.stringify(script), (name, value: unknown) =>
    name === 'src' && typeof value === 'string' && value.startsWith('media/') ? baseUrl + value.slice('media/'.length) : value,
  );
}

/** Creates the folder if needed; returns a temporary one if it is not writable. */
async function writableFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    return folder;
  } catch {
    return mkdtemp(join(tmpdir(), 'framewright-demo-'));
  }
}

function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}
