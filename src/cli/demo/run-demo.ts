import { access, constants, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment, loadConfig } from '../../config/index.js';
import { openMovieFile } from '../movie-file.js';
import { createProgressBar } from '../progress-bar.js';
import { ApiClient, type Completed } from './api-client.js';
import { makeExampleMedia } from './example-media.js';
import { startMediaServer } from './media-server.js';
import { createDemoKey, startServiceProcess } from './service-process.js';

const examplesFolder = fileURLToPath(new URL('../../../examples/', import.meta.url));

export interface DemoOptions {
  movie?: string;
  output?: string;
  media?: boolean;
  json?: boolean;
}

/** A line for people; with --json it goes where it disturbs no program. */
type Say = (topic: string, text: string) => void;

/** From nothing to a film over the REST service, as a program that uses it would do; leaves nothing running. */
export async function runDemo(options: DemoOptions): Promise<void> {
  const print = options.json ? console.error : console.log;
  const say: Say = (topic, text) => print(`${topic.padEnd(9)} ${text}`);
  print('Framewright demo\n');
  const moviePath = options.movie ?? join(examplesFolder, 'showcase.json');
  const { script } = await openMovieFile(moviePath);
  const mediaFolder = await makeExampleMedia(await writableFolder(examplesFolder), (name) => say('making', `${name} (the first time only)`));
  if (options.media) {
    if (options.json) console.log(JSON.stringify({ media: mediaFolder }));
    else say('media', shortPath(mediaFolder));
    return;
  }
  const outputPath = resolve(options.output ?? join(await writableFolder(resolve('out')), `${basename(moviePath, '.json')}.mp4`));
  await mkdir(dirname(outputPath), { recursive: true });
  const logPath = `${outputPath}.service.log`;
  try {
    const film = await renderOverRest(script, mediaFolder, { outputPath, logPath }, { say, screen: options.json ? process.stderr : process.stdout });
    await rm(logPath);
    if (options.json) console.log(JSON.stringify(film));
    else report(film, say);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nThe service's log: ${shortPath(logPath)}`, { cause: error });
  }
}

interface Film {
  path: string;
  duration_seconds: number;
  frames: number;
  size_bytes: number;
  credits_used: number;
  /** From submission to file. */
  seconds: number;
}

async function renderOverRest(
  script: unknown,
  mediaFolder: string,
  { outputPath, logPath }: { outputPath: string; logPath: string },
  { say, screen }: { say: Say; screen: NodeJS.WriteStream },
): Promise<Film> {
  await using media = await startMediaServer(mediaFolder);
  const env = await serviceEnvironment(media.host);
  await using service = await startServiceProcess(env, logPath);
  say('service', service.address);
  const client = new ApiClient(service.address, await createDemoKey(env));
  say('account', 'demo, with a new key and 100 credits more');

  const startedAt = performance.now();
  const submitted = await client.submit(withMediaUrls(script, `http://${media.host}/`));
  say('job', `${submitted.job_id}, estimated ${submitted.estimated_credits} credits`);
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

function report(film: Film, say: Say): void {
  console.log('');
  say('film', shortPath(film.path));
  say('length', `${film.duration_seconds.toFixed(1)} s, ${film.frames} frames, ${(film.size_bytes / 1e6).toFixed(1)} MB`);
  say('cost', `${film.credits_used} credits`);
  say(
    'speed',
    `${film.seconds.toFixed(1)} s from submission to file: ${Math.round(film.frames / film.seconds)} frames/s, ${(film.duration_seconds / film.seconds).toFixed(2)} × real time`,
  );
  const { port } = loadConfig().http;
  say('studio', `npm start, then http://127.0.0.1:${port}/ with a key (npm run -s framewright -- keys create --account demo --mode live)`);
}

/** The service's own defaults on a free port, allowed to fetch from this demo's media server and from nowhere else that is private. */
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

/** The examples name their files beside the script, as the command line reads them; over REST a source is a URL. */
function withMediaUrls(script: unknown, baseUrl: string): unknown {
  return JSON.parse(JSON.stringify(script), (name, value: unknown) =>
    name === 'src' && typeof value === 'string' && value.startsWith('media/') ? baseUrl + value.slice('media/'.length) : value,
  );
}

/** The folder itself, made when it is not there, or a temporary one where this user may not write. */
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
