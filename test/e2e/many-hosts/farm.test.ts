import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../../support/cli.js';
import { type Farm, startFarm } from '../../support/farm.js';
import { ffmpeg, ffprobe, frameDigests } from '../../support/ffmpeg.js';
import { startReceiver } from '../../support/receiver.js';
import type { JobBody } from '../../support/service.js';

/** farm-failures.test.ts contains the long form (FRAMEWRIGHT_TEST_LONG=1). */
let farm: Farm;
beforeAll(async () => {
  farm = await startFarm(2);
}, 120_000);
afterAll(() => farm?.stop());

const renderAlone = async (script: object): Promise<string> => {
  const [movie, video] = [join(farm.folder, 'movie.json'), join(farm.folder, 'alone.mp4')];
  await writeFile(movie, JSON.stringify(script));
  const { code, stderr } = await runCli(['render', movie, '-o', video], { env: { FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } });
  expect(code, stderr).toBe(0);
  return video;
};

it('a movie distributed over hosts decodes like that of a single host and is charged once', async () => {
  const script = farm.movie(8);
  const jobId = await farm.submit(script);
  const stream = fetch(`${farm.api.url}/api/jobs/${jobId}/progress`, { headers: { 'x-api-key': farm.key } }).then((response) => response.text());
  const job = await farm.finished(jobId);
  expect(job).toMatchObject({ status: 'completed', credits_used: 8 });
  const progress = [...(await stream).matchAll(/^data: .*"progress":([\d.]+)/gm)].map(([, value]) => Number(value));
  expect(progress.length).toBeGreaterThan(5);
  // Also when the movie changes hosts.
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  const video = await farm.video(job, 'farm.mp4');
  const frames = await frameDigests(video);
  expect(frames.filter((line) => line.startsWith('0,'))).toHaveLength(8 * 30);
  expect(frames.filter((line) => line.startsWith('1,')).length).toBeGreaterThan(300);
  expect(frames).toEqual(await frameDigests(await renderAlone(script)));
  expect(farm.hosts.map((host) => host.partsOf(jobId) > 0)).toEqual([true, true]);
  // Eight scenes and the sound.
  expect(farm.begun(jobId)).toBe(9);
  const figures = await Promise.all(farm.hosts.map((host) => host.metrics()));
  expect(figures.reduce((sum, text) => sum + Number(/movie_part_seconds_count{step="rendered"} (\d+)/.exec(text)?.[1]), 0)).toBe(9);
  expect(await farm.booksWrong()).toEqual([]);

  const again = await farm.submit({
    ...script,
    scenes: script.scenes.map((scene, index) => (index === 6 ? { ...scene, 'background-color': '#993366' } : scene)),
  });
  expect(await farm.finished(again)).toMatchObject({ status: 'completed' });
  // Only the changed scene is rendered; all others come from the cache, whichever host rendered them.
  expect(farm.begun(again)).toBe(1);
}, 120_000);

it('a distributed long scene equals that of a single host frame by frame', async () => {
  const script = { ...farm.movie(1, 45), width: 160, height: 90, fps: 10 };
  const jobId = await farm.submit(script);
  const video = await farm.video(await farm.finished(jobId), 'long.mp4');
  // Three of 15 s, and the sound.
  expect(farm.begun(jobId)).toBe(4);
  expect(farm.hosts.map((host) => host.partsOf(jobId) > 0)).toEqual([true, true]);
  const frames = await frameDigests(video);
  expect(frames.filter((line) => line.startsWith('0,'))).toHaveLength(450);
  expect(new Set(frames.map((line) => line.split(',').at(-1))).size).toBeGreaterThan(450);
  expect(frames).toEqual(await frameDigests(await renderAlone(script)));
}, 120_000);

it('a distributed movie in HDR is the file of a single host, with the light of all its segments', async () => {
  const script = { ...farm.movie(4), width: 160, height: 90, fps: 10, hdr: 'pq' };
  const jobId = await farm.submit(script);
  const video = await farm.video(await farm.finished(jobId), 'hdr.mp4');
  expect(farm.begun(jobId)).toBe(5);
  const alone = await renderAlone(script);
  expect(await frameDigests(video)).toEqual(await frameDigests(alone));
  const [shown, expected] = [video, alone].map((path) => ffprobe(path).streams.find(({ codec_type }) => codec_type === 'video'));
  expect(shown).toMatchObject({ codec_name: 'hevc', pix_fmt: 'yuv420p10le', color_transfer: 'smpte2084', nb_frames: '40' });
  expect(shown?.side_data_list?.map(({ side_data_type }) => side_data_type)).toEqual(['Mastering display metadata', 'Content light level metadata']);
  expect(shown?.side_data_list).toEqual(expected?.side_data_list);
}, 120_000);

it('clips that are stream-copied keep their coded frames on every host', async () => {
  const videos = await Promise.all(['testsrc2', 'mandelbrot'].map(renderedVideo));
  const sources = await startReceiver((request, response) =>
    response.writeHead(200, { 'content-type': 'video/mp4' }).end(readFileSync(videos[Number(request.url?.at(-1))] ?? '')),
  );
  try {
    const elements = (index: number): object[] => [{ type: 'video', src: `${sources.url}/${index}` }];
    const text = { type: 'text', text: 'After them', duration: 2 };
    const script = {
      width: 320,
      height: 180,
      fps: 30,
      scenes: [{ elements: elements(0) }, { elements: elements(1) }, { elements: elements(0) }, { elements: [text] }],
    };
    const jobId = await farm.submit(script);
    const video = await farm.video(await farm.finished(jobId), 'copied.mp4');
    expect(farm.hosts.map((host) => host.partsOf(jobId) > 0)).toEqual([true, true]);
    const sums = async (path: string): Promise<string[]> =>
      (await frameDigests(path)).filter((line) => line.startsWith('0,')).map((line) => line.split(',').at(-1) ?? '');
    const [spread, first, second] = await Promise.all([video, ...videos].map(sums));
    expect(spread?.slice(0, 180)).toEqual([...(first ?? []), ...(second ?? []), ...(first ?? [])].slice(0, 180));
    expect(spread).toEqual(await sums(await renderAlone(script)));
  } finally {
    await sources.close();
  }
}, 120_000);

it('warnings of files reach the job from whichever host finds them, also with packets of an earlier job', async () => {
  const clip = join(farm.folder, 'damaged.mkv');
  const colors = ['-colorspace', 'bt2020nc', '-color_primaries', 'bt2020', '-color_trc', 'arib-std-b67'];
  const sources = ['-f', 'lavfi', '-i', 'testsrc=s=160x90:r=10:d=2', '-f', 'lavfi', '-i', 'sine=d=2', '-f', 'lavfi', '-i', 'sine=f=880:d=2'];
  await ffmpeg(...sources, '-map', '0', '-map', '1', '-map', '2', '-c:v', 'libx264', '-g', '1', ...colors, '-c:a', 'pcm_s16le', clip);
  const file = readFileSync(clip);
  const middle = Math.floor(file.length / 2);
  file.fill(0, middle, middle + Math.floor(file.length / 5));
  const receiver = await startReceiver((_, response) => response.writeHead(200, { 'content-type': 'video/x-matroska' }).end(file));
  try {
    const text = { type: 'text', text: 'Before it', duration: 2 };
    const script = {
      width: 160,
      height: 90,
      fps: 10,
      scenes: [{ elements: [text] }, { elements: [{ type: 'video', src: `${receiver.url}/a`, duration: 2 }] }],
    };
    const expected = [
      expect.stringMatching(/^scenes\.1\.elements\.0: the file is HDR \(HLG\)/),
      expect.stringMatching(/^scenes\.1\.elements\.0: the file has several audio tracks/),
      expect.stringMatching(/^scenes\.1\.elements\.0: the file is damaged; 0\.\d+ s of its video/),
      expect.stringMatching(/^scenes\.1\.elements\.0: the file is damaged; 0\.\d+ s of its audio/),
    ];
    for (const begun of [3, 0]) {
      const jobId = await farm.submit(script);
      const { status, warnings = [] } = await farm.finished(jobId);
      expect([status, warnings.toSorted()]).toEqual(['completed', expect.arrayContaining(expected)]);
      expect(warnings).toHaveLength(expected.length);
      expect(farm.begun(jobId)).toBe(begun);
    }
  } finally {
    await receiver.close();
  }
}, 120_000);

const renderedVideo = async (pattern: string): Promise<string> => {
  const path = join(farm.folder, `${pattern}.mp4`);
  const look = ['-color_range', 'tv', '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-pix_fmt', 'yuv420p'];
  await ffmpeg('-f', 'lavfi', '-i', `${pattern}=s=320x180:r=30`, '-t', '2', '-c:v', 'libx264', '-preset', 'veryfast', '-g', '30', ...look, path);
  return path;
};

it('all videos in segments of a movie with outputs are distributed, and all other files are made of the same movie', async () => {
  const script = {
    ...farm.movie(6),
    outputs: [
      { name: 'main', format: 'mp4' },
      { name: 'small', format: 'mp4', width: 160, audio: { bitrate: 64_000 } },
      { name: 'edit', format: 'mov', codec: 'h264' },
      { name: 'loop', format: 'gif', width: 160, fps: 5 },
      { name: 'cover', format: 'jpeg', time: 1 },
      { name: 'sound', format: 'mp3' },
    ],
  };
  const jobId = await farm.submit(script);
  const job = (await farm.finished(jobId)) as JobBody & { outputs: Array<{ name: string; uri: string; mime_type: string }> };
  expect(job).toMatchObject({ status: 'completed', credits_used: Math.ceil(6 + 3 + 3 + 3) });
  expect(job.outputs.map(({ name, mime_type }) => [name, mime_type])).toEqual([
    ['main', 'video/mp4'],
    ['small', 'video/mp4'],
    ['edit', 'video/quicktime'],
    ['loop', 'image/gif'],
    ['cover', 'image/jpeg'],
    ['sound', 'audio/mpeg'],
  ]);
  // Six scenes in two sizes, whatever their containers, and the sound in two bit rates.
  expect(farm.begun(jobId)).toBe(14);
  expect(farm.hosts.map((host) => host.partsOf(jobId) > 0)).toEqual([true, true]);
  const alone = await renderAlone(script);
  for (const { name, uri } of job.outputs) {
    const video = await farm.video({ ...job, output_uri: uri }, `farm-${name}${uri.slice(uri.lastIndexOf('.'))}`);
    const reference = name === 'main' ? alone : alone.replace('.mp4', `-${name}${uri.slice(uri.lastIndexOf('.'))}`);
    expect([name, await frameDigests(video)]).toEqual([name, await frameDigests(reference)]);
  }
  expect(await farm.booksWrong()).toEqual([]);
}, 180_000);

it('a movie whose outputs have no segments is rendered by one host', async () => {
  const jobId = await farm.submit({ ...farm.movie(2), outputs: [{ name: 'loop', format: 'gif', width: 160 }] });
  expect(await farm.finished(jobId)).toMatchObject({ status: 'completed', outputs: [{ name: 'loop', format: 'gif' }] });
  expect(farm.begun(jobId)).toBe(0);
}, 120_000);

it('lists the hosts and their capabilities', async () => {
  const { code, stdout } = await runCli(['hosts', '--json'], { env: { DATABASE_URL: farm.postgres.url } });
  expect(code).toBe(0);
  const { hosts } = JSON.parse(stdout) as { hosts: Array<Record<string, unknown>> };
  const [first, second] = hosts;
  expect(hosts).toHaveLength(2);
  expect(first).toMatchObject({
    slots: 1,
    cores: availableParallelism(),
    encoders: expect.arrayContaining(['libx264']),
    compositors: expect.arrayContaining(['cpu']),
  });
  expect(second?.group).toBe(first?.group);
  expect((await runCli(['hosts'], { env: { DATABASE_URL: farm.postgres.url } })).stdout).toContain('1 render process on');
});

it('only the running segment of a killed host is rendered again', async () => {
  const jobId = await farm.submit(farm.movie(7));
  await expect.poll(() => farm.begun(jobId), { timeout: 60_000, interval: 10 }).toBeGreaterThan(3);
  await farm.hosts[0]?.end('SIGKILL');
  expect(await farm.finished(jobId)).toMatchObject({ status: 'completed', credits_used: 7 });
  // None if the host is killed between two segments.
  expect([8, 9]).toContain(farm.begun(jobId));
  const row = await farm.db.selectFrom('jobs').select(['attempts', 'interruptions']).where('id', '=', jobId).execute();
  expect(row).toEqual([{ attempts: 1, interruptions: 0 }]);
  expect(await farm.booksWrong()).toEqual([]);
}, 120_000);

it('a host that was frozen until its claim expired cannot end its segment', async () => {
  const host = farm.hosts.at(-1);
  const other = await farm.addHost();
  const isFinished = async (id: string): Promise<boolean> => {
    const { status } = await farm.db.selectFrom('jobs').select('status').where('id', '=', id).executeTakeFirstOrThrow();
    return status !== 'queued' && status !== 'processing';
  };
  const losses = async (id: string): Promise<number> =>
    (await farm.db.selectFrom('tasks').select('id').where('job_id', '=', id).where('host_losses', '>', 0).execute()).length;
  /** Freezes the host while it renders a part of a movie, until another host has it. Hosts may be too fast for that. */
  const freeze = async (attempts: number): Promise<string> => {
    const id = await farm.submit({ ...farm.movie(6, 4), elements: [] });
    while (!host?.partsOf(id) && !(await isFinished(id))) await new Promise((resolve) => setTimeout(resolve, 10));
    process.kill(host?.pid ?? 0, 'SIGSTOP');
    try {
      for (const end = Date.now() + 30_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 100))) {
        if ((await losses(id)) > 0) return id;
        if (await isFinished(id)) break;
      }
    } finally {
      process.kill(host?.pid ?? 0, 'SIGCONT');
    }
    expect(attempts).toBeGreaterThan(1);
    return freeze(attempts - 1);
  };
  const jobId = await freeze(5);
  expect(await farm.finished(jobId)).toMatchObject({ status: 'completed', credits_used: 24 });
  expect(other.partsOf(jobId)).toBeGreaterThan(0);
  await expect.poll(() => /lease of a job is lost|was ended by another host/.test(host?.log() ?? ''), { timeout: 30_000 }).toBe(true);
  // The movie's tasks and objects are gone.
  await expect.poll(() => farm.db.selectFrom('tasks').select('id').execute(), { timeout: 60_000 }).toEqual([]);
  expect(await farm.booksWrong()).toEqual([]);
}, 180_000);

it('movies of two accounts share the hosts, and a short one does not wait for a long one', async () => {
  const long = await farm.submit({ ...farm.movie(16), elements: [] });
  await expect.poll(() => farm.begun(long), { timeout: 60_000, interval: 10 }).toBeGreaterThan(1);
  const short = await farm.submit({ ...farm.movie(2), elements: [] }, await farm.createKey('other'));
  const statusOf = async (id: string): Promise<string> =>
    (await farm.db.selectFrom('jobs').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;
  await expect.poll(() => statusOf(short), { timeout: 90_000, interval: 50 }).toBe('completed');
  expect(await statusOf(long)).toBe('processing');
  expect(await farm.finished(long)).toMatchObject({ status: 'completed', credits_used: 16 });
}, 180_000);
