import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AccountStore, findImbalances, systemClock } from '../../src/accounts/index.js';
import { openDatabase } from '../../src/db/index.js';
import { plotLines } from '../support/line-plot.js';
import { failingKinds, mixedMovie, movieKinds, startMediaServer } from '../support/mixed-movies.js';
import { type ProcessInfo, processTree } from '../support/process-tree.js';
import { finishedJob, type RunningService, startService, submit } from '../support/service.js';

/** FRAMEWRIGHT_TEST_RENDERS=500 is the long form; it plots its measurements into build/soak.svg. */
const renders = Number(process.env.FRAMEWRIGHT_TEST_RENDERS ?? movieKinds.length * 2);
const isLong = process.env.FRAMEWRIGHT_TEST_RENDERS !== undefined;
/** The first renders load fonts, voices and compiled code and fill the pools of allocators. */
const warmUp = isLong ? Math.min(100, Math.floor(renders / 3)) : movieKinds.length;
const mebibyte = 1024 ** 2;
const allowedGrowth = 50 * mebibyte;

interface Reading {
  serviceBytes: number;
  renderBytes: number;
  serviceDescriptors: number;
  renderDescriptors: number;
  processes: number;
  defunct: number;
  temporaryFiles: number;
}

const isRenderProcess = ({ command }: ProcessInfo): boolean => command.includes('worker.js');
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

async function read(service: RunningService, dataDir: string, temporary: string): Promise<Reading> {
  const tree = processTree(service.pid);
  const rendering = tree.filter(isRenderProcess);
  const [main] = tree;
  const stored = (await readdir(join(dataDir, 'work'))).filter((name) => !name.startsWith('engine-'));
  return {
    serviceBytes: main?.residentBytes ?? 0,
    renderBytes: sum(rendering.map(({ residentBytes }) => residentBytes)),
    serviceDescriptors: main?.descriptors ?? 0,
    renderDescriptors: sum(rendering.map(({ descriptors }) => descriptors)),
    processes: tree.length,
    defunct: tree.filter(({ state }) => state === 'Z').length,
    temporaryFiles: stored.length + (await readdir(temporary)).length,
  };
}

/** The state between two jobs: the idle engine process has started and Chromium has exited. */
async function whileIdle(service: RunningService, dataDir: string, temporary: string): Promise<Reading> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const reading = await read(service, dataDir, temporary);
    if ((reading.temporaryFiles === 0 && reading.defunct === 0 && reading.processes === 3) || Date.now() > deadline) return reading;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function draw(readings: readonly Reading[]): void {
  const line = (name: string, unit: string, of: (reading: Reading) => number) => ({ name, unit, values: readings.map(of) });
  mkdirSync('build', { recursive: true });
  writeFileSync(
    'build/soak.svg',
    plotLines(`${readings.length} renders of mixed content, one render process`, [
      line('Service, resident', 'MiB', ({ serviceBytes }) => serviceBytes / mebibyte),
      line('Render process, resident', 'MiB', ({ renderBytes }) => renderBytes / mebibyte),
      line('Service, descriptors', '', ({ serviceDescriptors }) => serviceDescriptors),
      line('Render, descriptors', '', ({ renderDescriptors }) => renderDescriptors),
      line('Processes', '', ({ processes }) => processes),
      line('Temporary files', '', ({ temporaryFiles }) => temporaryFiles),
    ]),
  );
}

it(`${renders} renders of mixed content leak no memory, descriptor, process or file`, { timeout: 120_000 + renders * 20_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'framewright-soak-'));
  const temporary = await mkdtemp(join(tmpdir(), 'framewright-soak-tmp-'));
  const media = await startMediaServer();
  const service = await startService(dataDir, { FRAMEWRIGHT_WORKERS: '1', FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1', TMPDIR: temporary });
  const db = await openDatabase({ path: join(dataDir, 'framewright.db') });
  const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 20 };
  const { key } = await new AccountStore(db, systemClock).createKey({ accountName: 'acme', plan: 'enterprise', mode: 'live', credits: 1_000_000, limits });
  let workers: number[] = [];
  const readings: Reading[] = [];
  try {
    for (let number = 0; number < renders; number += 1) {
      const kind = movieKinds[number % movieKinds.length] ?? '';
      const { job_id: jobId } = await submit(service, key, mixedMovie(kind, number, media.url));
      const job = await finishedJob(service, key, jobId, 120_000);
      expect(job, `${kind} ${number}: ${JSON.stringify(job)}`).toMatchObject({ status: failingKinds.has(kind) ? 'failed' : 'completed' });
      const at = performance.now();
      readings.push(await whileIdle(service, dataDir, temporary));
      if (number === 0) workers = service.workers();
      if (isLong) console.log(number, kind, JSON.stringify(readings.at(-1)), Math.round(performance.now() - at));
      if (isLong) draw(readings);
    }
    const warm = readings[warmUp - 1] as Reading;
    const last = readings.at(-1) as Reading;
    console.log(`after ${warmUp} renders ${JSON.stringify(warm)}, after ${renders} ${JSON.stringify(last)}`);
    expect(workers).toHaveLength(1);
    expect(service.workers()).toEqual(workers);
    expect(last.serviceBytes - warm.serviceBytes).toBeLessThan(allowedGrowth);
    expect(last.renderBytes - warm.renderBytes).toBeLessThan(allowedGrowth);
    expect(Math.abs(last.serviceDescriptors - warm.serviceDescriptors)).toBeLessThanOrEqual(5);
    expect(Math.abs(last.renderDescriptors - warm.renderDescriptors)).toBeLessThanOrEqual(5);
    expect(last.processes).toBe(warm.processes);
    expect(last.defunct).toBe(0);
    expect(last.temporaryFiles).toBe(0);
    expect(await findImbalances(db)).toEqual([]);
  } finally {
    await db.destroy();
    await service.stop();
    await media.close();
    await rm(dataDir, { recursive: true, force: true });
    await rm(temporary, { recursive: true, force: true });
  }
});
