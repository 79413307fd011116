import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey, finishedJob, type RunningService, startService, submit } from '../support/service.js';

/** Takes some seconds to render, because every frame differs. */
const movie = {
  width: 960,
  height: 540,
  fps: 30,
  cache: false,
  scenes: [
    {
      duration: 12,
      'background-color': '#203040',
      elements: [{ type: 'text', text: 'Still here', font_size: 120, color: '#ffffff', position: 'center', zoom: 3 }],
    },
  ],
};
const short = { ...movie, width: 320, height: 180, scenes: [{ duration: 1, 'background-color': '#203040' }] };

let dataDir: string;
let service: RunningService;
let key: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'framewright-engines-'));
  key = await createKey(dataDir, { plan: 'enterprise' });
  service = await startService(dataDir, { FRAMEWRIGHT_WORKERS: '2' });
}, 60_000);
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Engine processes of this service, found by their home folder, the only setting of the service that they see. */
function engines(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readText(pid, 'cmdline').includes('framewright-engine') && readText(pid, 'environ').includes(dataDir));
}

function readText(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** The engine process that writes a file of this job. */
function engineOf(jobId: string): number | undefined {
  return engines().find((pid) => {
    try {
      return readdirSync(`/proc/${pid}/fd`).some((name) => readlinkSync(`/proc/${pid}/fd/${name}`).includes(jobId));
    } catch {
      return false;
    }
  });
}

async function whileRendering(jobId: string): Promise<number> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline) {
    const engine = engineOf(jobId);
    if (engine !== undefined) return engine;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`job ${jobId} was not rendered: ${service.log()}`);
}

describe('an engine that crashes', () => {
  it('uses up one attempt, the next starts within two seconds, and other jobs are not affected', async () => {
    const workers = service.workers();
    const { job_id: jobId } = await submit(service, key, movie);
    const engine = await whileRendering(jobId);
    process.kill(engine, 'SIGSEGV');
    const at = Date.now();
    await expect.poll(() => (service.log().match(/an engine process stopped/g) ?? []).length, { timeout: 2000, interval: 20 }).toBe(1);
    expect(Date.now() - at).toBeLessThan(2000);
    const { job_id: other } = await submit(service, key, short);
    expect(await finishedJob(service, key, other, 120_000)).toMatchObject({ status: 'completed' });
    expect(await finishedJob(service, key, jobId, 120_000)).toMatchObject({ status: 'completed' });
    for (const pid of workers) expect(service.workers()).toContain(pid);
  }, 300_000);

  it('fails its job with a reason and a refund the second time', async () => {
    const { job_id: jobId } = await submit(service, key, movie);
    for (const _attempt of [1, 2]) {
      const before = (service.log().match(/an engine process stopped/g) ?? []).length;
      process.kill(await whileRendering(jobId), 'SIGSEGV');
      await expect.poll(() => (service.log().match(/an engine process stopped/g) ?? []).length, { timeout: 2000, interval: 20 }).toBe(before + 1);
    }
    expect(await finishedJob(service, key, jobId, 120_000)).toMatchObject({
      status: 'failed',
      credits_used: 0,
      error: { code: 'RENDER_FAILED', message: 'The engine crashed while it worked on this movie in each of 2 attempts. Nothing was charged.' },
    });
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toMatch(/render_child_exits_total\{reason="engine crash"\} 3/);
  }, 300_000);

  it('leaves only the folders of idle engines', async () => {
    const left = async (): Promise<string[]> => (await readdir(join(dataDir, 'work'))).filter((name) => !name.startsWith('engine-'));
    // The end of a job is reported before its folder is removed.
    await expect.poll(left, { timeout: 10_000 }).toEqual([]);
    expect((await readdir(join(dataDir, 'work'))).length).toBeLessThanOrEqual(3);
    const environ = readText(engines()[0] ?? 0, 'environ');
    expect(environ).not.toMatch(/FRAMEWRIGHT_|API|KEY|SECRET/);
  });
});
