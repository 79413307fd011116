import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../../support/cli.js';
import { buildFakeNvenc } from '../../support/fake-nvenc.js';
import { type Farm, startFarm } from '../../support/farm.js';
import type { RenderHost } from '../../support/farm-host.js';
import { frameDigests } from '../../support/ffmpeg.js';

/** Hosts with a simulated graphics card, and hosts without one. */
let farm: Farm;
let withCard: Record<string, string>;
beforeAll(async () => {
  farm = await startFarm(0);
  const libraries = join(farm.folder, 'libraries');
  await mkdir(libraries);
  buildFakeNvenc(libraries, 1_000_000);
  withCard = { LD_LIBRARY_PATH: libraries };
}, 120_000);
afterAll(() => farm?.stop());

const groupOf = (host: RenderHost): string | undefined => /"group":"(\w+)"/.exec(host.log())?.[1];

it('segments go to the CPU encoder if the hardware encoder is lost before another host starts them', async () => {
  const script = farm.movie(4);
  const first = await farm.addHost(withCard);
  const jobId = await farm.submit(script);
  await expect.poll(() => farm.begun(jobId), { timeout: 60_000, interval: 10 }).toBeGreaterThan(1);
  await first.end('SIGKILL');
  const second = await farm.addHost({ ...withCard, NVIDIA_VISIBLE_DEVICES: 'void' });
  expect(groupOf(second)).toBe(groupOf(first));
  const job = await farm.finished(jobId);
  expect(job).toMatchObject({
    status: 'completed',
    credits_used: 4,
    warnings: [expect.stringMatching(/^h264_nvenc gave out .* encoded with libx264 instead/)],
  });
  const figures = await second.metrics();
  expect(figures).toContain('encoder_fallback_total{from="h264_nvenc",to="libx264",reason="unavailable"} 1');
  expect(figures).toContain('render_duration_seconds_count{encoder="libx264"} 1');

  const [movie, alone] = [join(farm.folder, 'movie.json'), join(farm.folder, 'alone.mp4')];
  await writeFile(movie, JSON.stringify(script));
  const { code, stderr } = await runCli(['render', movie, '-o', alone], { env: { FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } });
  expect(code, stderr).toBe(0);
  expect(await frameDigests(await farm.video(job, 'farm.mp4'))).toEqual(await frameDigests(alone));
  await second.end('SIGKILL');
}, 120_000);

it('segments for a hardware encoder go to hosts that have one, other segments to hosts without', async () => {
  const hosts = await Promise.all([farm.addHost(withCard), farm.addHost()]);
  expect(groupOf(hosts[0])).not.toBe(groupOf(hosts[1]));
  const jobs = await Promise.all(Array.from({ length: 3 }, () => farm.submit(farm.movie(2))));
  for (const jobId of jobs) expect(await farm.finished(jobId)).toMatchObject({ status: 'completed', credits_used: 2 });
  const whose = jobs.map((jobId) => hosts.map((host) => host.partsOf(jobId)));
  // All movies have the same sound, which may be cached.
  for (const [fewer = 0, more = 0] of whose.map((parts) => [...parts].sort())) expect([fewer, more >= 2]).toEqual([0, true]);
  for (const index of [0, 1]) expect(whose.some((parts) => (parts[index] ?? 0) > 0)).toBe(true);
  expect(await hosts[0].metrics()).toContain('encoder_available{encoder="h264_nvenc"} 1');
  expect(await farm.booksWrong()).toEqual([]);
}, 120_000);
