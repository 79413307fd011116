import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';
import { ffmpeg, ffprobe } from '../support/ffmpeg.js';
import { startReceiver } from '../support/receiver.js';
import { createKey, finishedJob, type JobBody, type RunningService, startService, submit } from '../support/service.js';

/** Several files of one job, by the service and by the command line, read by ffprobe and decoded by ffmpeg. */

interface Listed {
  name: string;
  format: string;
  uri: string;
  file_size_bytes: number;
  width?: number;
  height?: number;
  duration_seconds?: number;
  mime_type: string;
  sha256: string;
}

const formats = [
  ['mp4', 'h264', 'video/mp4'],
  ['webm', 'vp9', 'video/webm'],
  ['mov', 'prores', 'video/quicktime'],
  ['gif', 'gif', 'image/gif'],
  ['webp', 'webp', 'image/webp'],
  ['apng', 'apng', 'image/apng'],
  ['png', 'png', 'image/png'],
  ['jpeg', 'mjpeg', 'image/jpeg'],
  ['webp-still', 'webp', 'image/webp'],
  ['avif', 'av1', 'image/avif'],
  ['mp3', 'mp3', 'audio/mpeg'],
  ['m4a', 'aac', 'audio/mp4'],
  ['opus', 'opus', 'audio/ogg'],
  ['flac', 'flac', 'audio/flac'],
  ['wav', 'pcm_s16le', 'audio/wav'],
] as const;

let folder: { path: string; remove: () => Promise<void> };
let media: Server;
let service: RunningService;
let key: string;
let script: Record<string, unknown>;

beforeAll(async () => {
  folder = await temporaryFolder();
  await ffmpeg('-f', 'lavfi', '-i', 'sine=440:d=3', '-c:a', 'pcm_s16le', join(folder.path, 'tone.wav'));
  await ffmpeg('-f', 'lavfi', '-i', 'mandelbrot=s=640x360', '-frames:v', '1', join(folder.path, 'photo.jpg'));
  media = createServer((request, response) => {
    const file = createReadStream(join(folder.path, basename(request.url ?? '')));
    file.on('error', () => response.writeHead(404).end());
    file.pipe(response);
  });
  await new Promise<void>((resolve) => media.listen(0, '127.0.0.1', resolve));
  const { port } = media.address() as AddressInfo;
  service = await startService(join(folder.path, 'data'), { FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' });
  key = await createKey(join(folder.path, 'data'));
  script = {
    width: 320,
    height: 180,
    fps: 25,
    scenes: [
      {
        duration: 2,
        elements: [
          { type: 'image', src: `http://127.0.0.1:${port}/photo.jpg`, zoom: 2 },
          { type: 'audio', src: `http://127.0.0.1:${port}/tone.wav` },
        ],
      },
    ],
  };
});
afterAll(async () => {
  await service.stop();
  media.close();
  await folder.remove();
});

/** Downloads an output and checks what the job says of the bytes. */
async function download({ uri, file_size_bytes, mime_type, sha256, name, format }: Listed): Promise<string> {
  const response = await fetch(uri);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([file_size_bytes, sha256]);
  // A PNG file says nothing of its animation in its name.
  expect(response.headers.get('content-type')).toBe(format === 'apng' ? 'image/png' : mime_type);
  const path = join(folder.path, `got-${name}${uri.slice(uri.lastIndexOf('.'))}`);
  await writeFile(path, bytes);
  return path;
}

const probe = (path: string) => {
  const { streams, format } = ffprobe(path);
  return { video: streams.find((one) => one.codec_type === 'video'), audio: streams.find((one) => one.codec_type === 'audio'), format };
};

/** Peak signal-to-noise ratio of two files in dB over all frames and planes, as ffmpeg measures it. */
function psnr(a: string, b: string): number {
  const filter = '[0:v]format=yuv444p[a];[1:v]format=yuv444p[b];[a][b]psnr';
  const text = execFileSync('sh', ['-c', `ffmpeg -nostdin -i '${a}' -i '${b}' -lavfi '${filter}' -f null - 2>&1`], { encoding: 'utf8' });
  return Number(/average:([\d.]+|inf)/.exec(text)?.[1]?.replace('inf', '100'));
}

it('one job delivers every format', async () => {
  const outputs = formats.map(([format]) => ({ name: `my-${format}`, format, ...(format === 'png' && { time: 0 }) }));
  const { job_id, estimated_credits } = await submit(service, key, { ...script, outputs });
  // The MP4 file is included; WebM, MOV, GIF, WebP and APNG cost half a credit a second, for 2 s each.
  expect(estimated_credits).toBe(2 + 5);
  const job = (await finishedJob(service, key, job_id, 170_000)) as JobBody & { outputs: Listed[] };
  expect([job.status, job.error]).toEqual(['completed', undefined]);
  expect(job.credits_used).toBe(7);
  expect(job.outputs.map(({ name, format, mime_type }) => [name, format, mime_type])).toEqual(
    formats.map(([format, , type]) => [`my-${format}`, format, type]),
  );
  expect(job.output_uri).toBe(job.outputs[0]?.uri);
  const files = new Map<string, string>();
  for (const [index, output] of job.outputs.entries()) {
    const path = await download(output);
    files.set(output.format, path);
    const { video, audio, format } = probe(path);
    const isSound = output.mime_type.startsWith('audio/');
    expect([output.format, (isSound ? audio : video)?.codec_name]).toEqual([output.format, formats[index]?.[1]]);
    if (isSound) {
      expect([output.width, video]).toEqual([undefined, undefined]);
    } else {
      expect([output.format, output.width, output.height]).toEqual([output.format, 320, 180]);
      // libavformat of Debian 12 does not decode animated WebP.
      if (output.format !== 'webp') expect([output.format, video?.width, video?.height]).toEqual([output.format, 320, 180]);
    }
    if (isSound || output.mime_type.startsWith('video/')) {
      expect([output.format, Math.abs(Number(format.duration) - 2) < 0.06]).toEqual([output.format, true]);
      expect([output.format, audio === undefined]).toEqual([output.format, false]);
      expect(output.duration_seconds).toBe(2);
    }
  }
  const mp4 = files.get('mp4') ?? '';
  expect(psnr(files.get('webm') ?? '', mp4)).toBeGreaterThan(34);
  expect(psnr(files.get('mov') ?? '', mp4)).toBeGreaterThan(34);
  // The same frames at the same times: a frame off would cost far more.
  expect(probe(mp4).video?.avg_frame_rate).toBe(probe(files.get('webm') ?? '').video?.avg_frame_rate);
}, 180_000);

it('sizes, ranges, times and a limit of bytes are heeded', async () => {
  const outputs = [
    { name: 'small', format: 'mp4', width: 160, range: { start: 0.5, duration: 1 }, audio: false },
    { name: 'loop', format: 'gif', width: 160, fps: 10, range: { start: 1 } },
    { name: 'cover', format: 'jpeg', time: 1, max_bytes: 6_000 },
  ];
  const { job_id } = await submit(service, key, { ...script, outputs });
  const job = (await finishedJob(service, key, job_id)) as JobBody & { outputs: Listed[] };
  expect([job.status, job.error]).toEqual(['completed', undefined]);
  const [small, loop, cover] = await Promise.all(job.outputs.map(download));
  const probed = probe(small ?? '');
  expect([probed.video?.width, probed.video?.height, probed.video?.nb_frames, probed.audio]).toEqual([160, 90, '25', undefined]);
  expect(Math.abs(Number(probe(loop ?? '').format.duration) - 1)).toBeLessThan(0.11);
  expect(job.outputs[2]?.file_size_bytes).toBeLessThanOrEqual(6_000);
  expect(probe(cover ?? '').video?.codec_name).toBe('mjpeg');
});

it('captions and a poster follow from the content', async () => {
  const captions = '1\n00:00:00,200 --> 00:00:00,900\nFirst <i>line</i>\nsecond & last\n\n2\n00:00:01,000 --> 00:00:01,500\nBye\n';
  const black = { duration: 3, elements: [] };
  const scenes = [
    black,
    { ...(script.scenes as object[])[0], elements: [...(script.scenes as [{ elements: object[] }])[0].elements, { type: 'subtitles', captions }] },
  ];
  const outputs = [
    { name: 'video', format: 'mp4' },
    { name: 'subs', format: 'srt' },
    { name: 'cut', format: 'vtt', range: { start: 3.5, duration: 1 } },
    { name: 'poster', format: 'poster' },
  ];
  const { job_id } = await submit(service, key, { ...script, scenes, outputs });
  const job = (await finishedJob(service, key, job_id)) as JobBody & { outputs: Listed[] };
  expect([job.status, job.error]).toEqual(['completed', undefined]);
  const [, subs = '', cut = '', poster = ''] = await Promise.all(job.outputs.map(download));
  expect(readFileSync(subs, 'utf8')).toBe('1\n00:00:03,200 --> 00:00:03,900\nFirst <i>line</i>\nsecond & last\n\n2\n00:00:04,000 --> 00:00:04,500\nBye\n');
  expect(readFileSync(cut, 'utf8')).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:00.400\nFirst <i>line</i>\nsecond &amp; last\n\n00:00:00.500 --> 00:00:01.000\nBye\n',
  );
  // An independent reader takes both.
  const starts = (path: string): string =>
    execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path], { encoding: 'utf8' });
  expect([starts(subs), starts(cut)].map((text) => text.split(/\s+/).filter(Boolean).map(Number))).toEqual([
    [3.2, 4],
    [0, 0.5],
  ]);
  const gray = execFileSync('ffmpeg', ['-v', 'error', '-i', poster, '-vf', 'scale=1:1,format=gray', '-f', 'rawvideo', '-']);
  expect(gray[0]).toBeGreaterThan(40);
});

it('outputs may be computed, exported by name, and told to a webhook', async () => {
  const receiver = await startReceiver();
  try {
    const target = (output?: string) => ({ type: 'webhook', endpoint: `${receiver.url}/${output ?? 'primary'}`, ...(output !== undefined && { output }) });
    const movie = {
      ...script,
      variables: { still: 'jpeg', base: 'cov' },
      outputs: [
        { name: '{{base}}er', format: '{{still}}', width: '{{10 * 16}}' },
        { name: 'video', format: 'webm', width: 160 },
      ],
      webhook_uri: receiver.url,
      exports: [target(), target('cover')],
    };
    const { job_id } = await submit(service, key, movie);
    const job = (await finishedJob(service, key, job_id)) as JobBody & { outputs: Listed[] };
    expect([job.status, job.error]).toEqual(['completed', undefined]);
    expect(job.outputs.map(({ name, format, width }) => [name, format, width])).toEqual([
      ['cover', 'jpeg', 160],
      ['video', 'webm', 160],
    ]);
    expect(job.output_uri).toBe(job.outputs[1]?.uri);
    for (const output of job.outputs) await download(output);
    await receiver.waitFor(3);
    const bodyOf = (path: string) => receiver.received.find((request) => request.path.endsWith(path))?.body ?? '';
    expect(JSON.parse(bodyOf('/hook'))).toMatchObject({ output_url: job.output_uri, outputs: job.outputs });
    expect([bodyOf('/primary').includes(job.outputs[1]?.uri ?? '?'), bodyOf('/cover').includes(job.outputs[0]?.uri ?? '?')]).toEqual([true, true]);
    const wrong = { ...movie, exports: [target('none')] };
    await expect(submit(service, key, wrong)).rejects.toThrow(/the outputs are \\"cover\\", \\"video\\".*"path":"exports\.0\.output"/);
  } finally {
    await receiver.close();
  }
});

it('a failed job leaves no file, and a refusal names the output', async () => {
  const stored = () => readdirSync(join(folder.path, 'data', 'outputs'));
  const before = stored().length;
  const broken = { ...script, scenes: [{ duration: 1, elements: [{ type: 'image', src: 'http://127.0.0.1:1/none.jpg' }] }] };
  const { job_id } = await submit(service, key, { ...broken, outputs: [{ name: 'a', format: 'webm' }] }).catch(() => ({ job_id: '' }));
  if (job_id !== '') expect((await finishedJob(service, key, job_id)).status).toBe('failed');
  expect(stored()).toHaveLength(before);
  await expect(submit(service, key, { ...script, outputs: [{ name: 'a', format: 'mp4', alpha: true }] })).rejects.toThrow(/"path":"outputs\.0\.alpha"/);
});

it('a sandbox key gets a placeholder of every output', async () => {
  const testKey = await createKey(join(folder.path, 'data'), { account: 'tester', mode: 'test' });
  const { job_id } = await submit(service, testKey, { ...script, outputs: ['mp4', 'gif', 'png', 'mp3'].map((format) => ({ name: format, format })) });
  const job = (await finishedJob(service, testKey, job_id)) as JobBody & { outputs: Listed[] };
  expect([job.status, job.outputs?.length]).toEqual(['completed', 4]);
  for (const output of job.outputs) await download(output);
});

it('the command line chooses the format by the extension, and writes named outputs', async () => {
  const moviePath = join(folder.path, 'movie.json');
  await writeFile(moviePath, JSON.stringify({ ...script, scenes: [{ duration: 1, background: '#123456' }] }));
  const out = (name: string): string => join(folder.path, name);
  const rendered = await runCli(['render', moviePath, '-o', out('cli.webm'), '--output', `cover=${out('cli.png')}`]);
  expect([rendered.code, rendered.stderr]).toEqual([0, expect.any(String)]);
  expect(probe(out('cli.webm')).video?.codec_name).toBe('vp9');
  expect(probe(out('cli.png')).video?.codec_name).toBe('png');
  const refused = await runCli(['render', moviePath, '-o', out('cli.xyz')]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('must end in .mp4, .webm')]);
  expect(existsSync(out('cli.xyz'))).toBe(false);
});
