import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/index.js';
import { temporaryFolder } from '../support/cli.js';
import { ffmpeg } from '../support/ffmpeg.js';
import { createKey, finishedJob, type JobBody, type RunningService, startService, submit } from '../support/service.js';

/** HLS and DASH streams of a job, played in Chromium by hls.js and dash.js, and read by ffmpeg. */

interface Listed {
  name: string;
  uri: string;
  file_size_bytes: number;
  mime_type: string;
  width: number;
  duration_seconds: number;
}

const SECONDS = 12;
const HEIGHTS = [360, 180];
const packages = new URL('../../node_modules/', import.meta.url);
const players: Record<string, URL> = {
  '/hls.js': new URL('hls.js/dist/hls.min.js', packages),
  '/dash.js': new URL('dashjs/dist/modern/umd/dash.all.min.js', packages),
};

let folder: { path: string; remove: () => Promise<void> };
/** Serves the page and the tone; the streams come from the service, which is another origin. */
let site: Server;
let origin: string;
let service: RunningService;
let browser: Browser | undefined;
let job: JobBody & { outputs: Listed[] };
let key: string;
const stream = (name: string): Listed => job.outputs.find((output) => output.name === name) as Listed;

/** Grey of a second, so far from its neighbours that encoding does not blur them. */
const greyOf = (second: number): number => 20 + 18 * second;

beforeAll(async () => {
  folder = await temporaryFolder();
  await ffmpeg('-f', 'lavfi', '-i', `sine=440:d=${SECONDS}`, '-c:a', 'pcm_s16le', join(folder.path, 'tone.wav'));
  site = createServer(async (request, response) => {
    const script = players[request.url ?? ''];
    if (script !== undefined) return void response.setHeader('content-type', 'text/javascript').end(await readFile(script));
    if (request.url === '/tone.wav') return void createReadStream(join(folder.path, 'tone.wav')).pipe(response);
    response.setHeader('content-type', 'text/html').end('<!doctype html><video muted></video><script src="/hls.js"></script><script src="/dash.js"></script>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  service = await startService(join(folder.path, 'data'), { FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' });
  key = await createKey(join(folder.path, 'data'));
  const settings = { ladder: HEIGHTS.map((height) => ({ height })), segment_duration: 2 };
  const { job_id } = await submit(service, key, {
    width: 640,
    height: 360,
    fps: 25,
    outputs: [
      { name: 'live', format: 'hls', ...settings },
      { name: 'same', format: 'dash', ...settings },
      { name: 'av1', format: 'hls', codec: 'av1', ...settings },
    ],
    elements: [
      { type: 'audio', src: `${origin}/tone.wav` },
      { type: 'subtitles', language: 'en', captions: '1\n00:00:01,000 --> 00:00:03,000\nA line of text\n' },
      { type: 'subtitles', language: 'pt-br', captions: '1\n00:00:02,000 --> 00:00:04,000\nUma linha de texto\n' },
    ],
    scenes: Array.from({ length: SECONDS }, (_, second) => ({ duration: 1, background: `rgb(${greyOf(second)},${greyOf(second)},${greyOf(second)})` })),
  });
  job = (await finishedJob(service, key, job_id, 120_000)) as typeof job;
  expect([job.status, job.error]).toEqual(['completed', undefined]);
  const args = ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'];
  browser = await puppeteer.launch({ executablePath: loadConfig(process.env).html.chromium ?? '', args });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  site.close();
  await folder.remove();
});

/** Runs in the page: helpers for a video element and what it shows. */
const watching = `
  const video = document.querySelector('video');
  const context = new OffscreenCanvas(16, 16).getContext('2d', { willReadFrequently: true });
  const grey = () => { context.drawImage(video, 0, 0, 16, 16); return context.getImageData(8, 4, 1, 1).data[1]; };
  const happens = (target, name) => new Promise((resolve, reject) => {
    target.addEventListener(name, resolve, { once: true });
    video.addEventListener('error', () => reject(new Error(video.error.message)), { once: true });
  });
  const until = async (condition, what) => {
    for (let i = 0; !condition(); ++i) {
      if (i > 400) throw new Error('timed out: ' + what);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };
  const ranges = () => Array.from({ length: video.buffered.length }, (_, k) => [video.buffered.start(k), video.buffered.end(k)]);
  const seekTo = async (time) => {
    const arrived = happens(video, 'seeked');
    // The event may come before the frame is shown.
    const shown = new Promise((resolve) => { video.requestVideoFrameCallback(resolve); setTimeout(resolve, 2000); });
    video.currentTime = time;
    await arrived;
    await shown;
    return [video.videoHeight, grey()];
  };
  // Plays from a time on and records the time of every frame that is shown.
  const play = async (from, seconds) => {
    await seekTo(from);
    const times = [];
    const note = (_, { mediaTime }) => { times.push(mediaTime); video.requestVideoFrameCallback(note); };
    video.requestVideoFrameCallback(note);
    await video.play();
    await until(() => video.currentTime >= from + seconds || video.ended, 'playing');
    video.pause();
    return times;
  };
  const texts = () => Array.from(video.textTracks).flatMap((track) => { track.mode = 'hidden'; return Array.from(track.cues ?? [], ({ startTime, text }) => [startTime, text]); });
`;

interface Watched {
  heights: number[];
  ranges: number[][];
  seeks: Array<[number, number]>;
  times: number[];
  duration: number;
  texts: Array<[number, string]>;
  /** Of the captions that the player offers. */
  languages: string[];
  problems: string[];
}

const MOMENTS = [7.5, 0.5, 3.9, 11.5, 4.1];

async function watch(player: string): Promise<Watched> {
  if (browser === undefined) throw new Error('no browser');
  const page = await browser.newPage();
  try {
    await page.goto(origin);
    return (await page.evaluate(`(async () => { ${watching} ${player} })()`)) as Watched;
  } finally {
    await page.close();
  }
}

function expectGoodPlayback({ heights, ranges, seeks, times, duration, texts, languages, problems }: Watched): void {
  expect(problems).toEqual([]);
  expect(duration).toBeCloseTo(SECONDS, 1);
  // Both sizes were loaded, one after the other, and their segments meet without a gap.
  expect(heights).toEqual(expect.arrayContaining(HEIGHTS));
  expect(ranges).toHaveLength(1);
  expect(ranges[0]?.[0]).toBeLessThan(0.03);
  expect(ranges[0]?.[1]).toBeGreaterThan(SECONDS - 0.1);
  for (const [index, moment] of MOMENTS.entries()) {
    const [, shown = 0] = seeks[index] ?? [];
    expect(Math.abs(shown - greyOf(Math.floor(moment))), `at ${moment} s`).toBeLessThan(6);
  }
  // Chromium may skip a frame where the machine is busy, but time never runs back.
  for (const [index, time] of times.entries()) expect(time).toBeGreaterThan(times[index - 1] ?? -1);
  expect(times.length).toBeGreaterThan(20);
  expect(languages).toEqual(['en', 'pt-BR']);
  expect(texts).toContainEqual([2, 'Uma linha de texto']);
}

it('is described in the job, as files of one folder each', async () => {
  expect(stream('live')).toMatchObject({ mime_type: 'application/vnd.apple.mpegurl', width: 640, duration_seconds: SECONDS });
  expect(stream('live').uri).toMatch(/-live\/stream\.m3u8$/);
  expect(stream('same').uri).toMatch(/-same\/stream\.mpd$/);
  // 2 sizes of a stream: the first is the movie's price, the others and the other streams cost half of theirs.
  expect(job.credits_used).toBe(SECONDS + (5 * SECONDS) / 2);
  const answer = await fetch(stream('live').uri);
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  const [track] = /^stream-\d+p\.m3u8$/m.exec(await answer.text()) ?? [];
  const playlist = await (await fetch(new URL(track ?? '', stream('live').uri))).text();
  expect(playlist.match(/#EXT-X-BYTERANGE/g)).toHaveLength(SECONDS / 2);
  expect((await fetch(new URL('stream-1p.mp4', stream('live').uri))).status).toBe(404);
});

it.each(['live', 'av1'])('is played by hls.js, which changes the size at every boundary: %s', async (name) => {
  const seen = await watch(`
    const problems = [];
    const heights = [];
    const hls = new Hls({ startLevel: 0, abrEwmaDefaultEstimate: 1e9, renderTextTracksNatively: true, maxBufferLength: 60 });
    hls.on(Hls.Events.ERROR, (_, { details, type, frag, error }) => problems.push(details + ' ' + JSON.stringify([type, frag && [frag.type, frag.sn, frag.start, frag.level], error && error.message])));
    hls.on(Hls.Events.FRAG_LOADED, (_, { frag }) => {
      if (frag.type !== 'main') return;
      heights.push(hls.levels[frag.level].height);
      hls.nextLoadLevel = 1 - frag.level;
    });
    hls.loadSource(${JSON.stringify(stream(name).uri)});
    hls.attachMedia(video);
    await until(() => hls.subtitleTracks.length > 0, 'captions');
    const languages = hls.subtitleTracks.map(({ lang }) => lang);
    hls.subtitleTrack = 1;
    await until(() => ranges().some(([, end]) => end > ${SECONDS - 0.1}), 'loading');
    const seeks = [];
    for (const moment of ${JSON.stringify(MOMENTS)}) seeks.push(await seekTo(moment));
    const times = await play(3, 2);
    await until(() => texts().length > 0, 'cues');
    return { heights: [...new Set(heights)], ranges: ranges(), seeks, times, duration: video.duration, texts: texts(), languages, problems };
  `);
  expectGoodPlayback(seen);
  expect(new Set(seen.seeks.map(([height]) => height)).size).toBe(2);
});

it('is played by dash.js, which changes the size at every boundary', async () => {
  const seen = await watch(`
    const problems = [];
    const heights = [];
    const player = dashjs.MediaPlayer().create();
    player.updateSettings({ streaming: { abr: { autoSwitchBitrate: { video: false } }, buffer: { fastSwitchEnabled: false, bufferTimeDefault: 60, bufferTimeAtTopQuality: 60 }, text: { defaultEnabled: true } } });
    player.on('error', ({ error }) => problems.push(error.message));
    player.on('fragmentLoadingCompleted', ({ request }) => {
      if (request.mediaType !== 'video' || request.type !== 'MediaSegment') return;
      heights.push(request.representation.height);
      const other = player.getRepresentationsByType('video').find(({ height }) => height !== request.representation.height);
      player.setRepresentationForTypeById('video', other.id);
    });
    player.initialize(video, ${JSON.stringify(stream('same').uri)}, false);
    player.setInitialMediaSettingsFor('text', { lang: 'pt-BR' });
    await until(() => ranges().some(([, end]) => end > ${SECONDS - 0.1}), 'loading');
    const seeks = [];
    for (const moment of ${JSON.stringify(MOMENTS)}) seeks.push(await seekTo(moment));
    const times = await play(3, 2);
    await until(() => texts().length > 0, 'cues');
    const languages = player.getTracksFor('text').map(({ lang }) => lang);
    return { heights: [...new Set(heights)], ranges: ranges(), seeks, times, duration: video.duration, texts: texts(), languages, problems };
  `);
  expectGoodPlayback(seen);
});

it.each(['live', 'same', 'av1'])('is read by ffmpeg: %s', (name) => {
  // ffmpeg reads WebVTT in DASH only when all file names are allowed, and has no reader for that of HLS.
  const command = `ffmpeg -nostdin -v warning -allowed_extensions ALL -i '${stream(name).uri}' -map 0:v:0 -map 0:a:0 -f null - 2>&1`;
  const lines = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\n');
  expect(lines.filter((line) => line !== '' && !line.includes("Can't support the subtitle"))).toEqual([]);
});
