import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { AccountStore, systemClock } from '../../dist/accounts/index.js';
import { openDatabase, openNotifications } from '../../dist/db/index.js';
import { TaskStore } from '../../dist/distributed/queue/task-store.js';
import { JobNotifications, JobStore } from '../../dist/jobs/index.js';
import { round, spread } from './figures.mjs';
import { loadServers } from './test-servers.mjs';

const host = fileURLToPath(new URL('./sleeping-host.mjs', import.meta.url));
const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 1_000_000 };
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Real hosts (`framewright worker`, a real PostgreSQL and bucket) whose render processes sleep instead of rendering: what one movie takes on
 * one host and on two, each with one render process, and what lies between the parts.
 */
export async function measureSpread({ scenes = 20, seconds = 2, rounds = 3 } = {}) {
  const { createPostgresServer, startS3Server } = await loadServers(['postgres-server', 's3-server']);
  const folder = await mkdtemp(join(tmpdir(), 'framewright-spread-'));
  const [postgres, s3] = await Promise.all([createPostgresServer(), startS3Server()]);
  const shared = { DATABASE_URL: postgres.url, FRAMEWRIGHT_STORAGE: 's3://films', ...s3.environment, FRAMEWRIGHT_WORKERS: '1' };
  const hosts = [];
  const db = await openDatabase({ url: postgres.url });
  const relay = new JobNotifications(await openNotifications({ url: postgres.url }, { info() {}, warn() {} }));
  relay.start(() => {});
  const { accountId } = await new AccountStore(db, systemClock).createKey({ accountName: 'bench', plan: 'enterprise', mode: 'live', credits: 1e9, limits });
  const jobs = new JobStore(db, systemClock, [new TaskStore(db)]);

  async function render() {
    for (const one of hosts) one.lines.length = 0;
    const before = await Promise.all(hosts.map((one) => one.cpuSeconds()));
    const script = { scenes: Array.from({ length: scenes }, () => ({ duration: seconds })) };
    const began = performance.now();
    const { jobId } = await jobs.submit({ caller: { accountId, mode: 'live', limits }, script, estimatedCredits: scenes });
    relay.announceTasks(1);
    while ((await db.selectFrom('jobs').select('status').where('id', '=', jobId).executeTakeFirstOrThrow()).status !== 'completed') await pause(5);
    const wallSeconds = (performance.now() - began) / 1000;
    const after = await Promise.all(hosts.map((one) => one.cpuSeconds()));
    const cpuSeconds = after.reduce((sum, one, index) => sum + one - before[index], 0);
    return { wallSeconds, cpuSeconds, betweenMs: hosts.flatMap(({ lines }) => between(lines)) };
  }

  try {
    const results = [];
    for (const count of [1, 2]) {
      while (hosts.length < count) hosts.push(await startHost(join(folder, `host-${hosts.length}`), shared));
      const runs = [];
      for (let round = 0; round < rounds; round += 1) runs.push(await render());
      runs.sort((a, b) => a.wallSeconds - b.wallSeconds);
      const { wallSeconds } = runs[Math.floor(rounds / 2)];
      const ideal = Math.ceil(scenes / count) * seconds;
      results.push({
        hosts: count,
        wallSeconds: round(wallSeconds),
        allWallSeconds: runs.map((run) => round(run.wallSeconds)),
        /** Of what the longest host slept. */
        overhead: round(wallSeconds / ideal - 1),
        betweenPartsMs: spread(runs.flatMap(({ betweenMs }) => betweenMs)),
        processorMsPerPart: round((runs.reduce((sum, run) => sum + run.cpuSeconds, 0) * 1000) / (rounds * scenes)),
      });
    }
    const [one, two] = results;
    return { scenes, seconds, rounds, ratio: round(two.wallSeconds / one.wallSeconds), results };
  } finally {
    for (const one of hosts) await one.end();
    await relay.close();
    await db.destroy();
    await Promise.all([postgres.remove(), s3.remove()]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** From the end of one part's sleep to the beginning of the next one's, on a host with one render process. */
function between(lines) {
  const done = lines.filter(({ msg }) => msg === 'a part of a movie is done');
  return done.slice(1).map((part, index) => {
    const before = done[index];
    const endedAt = before.time - before.handed_over_ms;
    return part.time - part.handed_over_ms - part.rendered_ms - endedAt;
  });
}

async function startHost(dataDir, environment) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, FRAMEWRIGHT_DATA_DIR: dataDir, ...environment };
  const child = spawn(process.execPath, [host], { env, stdio: ['ignore', 'inherit', 'pipe'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const lines = [];
  await new Promise((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (text) => {
      if (!text.startsWith('{')) return console.error(text);
      const line = JSON.parse(text);
      lines.push(line);
      if (line.msg === 'this host is part of the farm') resolve();
    });
    exited.then(() => reject(new Error('a host ended at its start')));
  });
  return {
    lines,
    cpuSeconds: () => cpuOfProcess(child.pid),
    async end() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** In ticks of 10 ms: user and system. */
async function cpuOfProcess(pid) {
  const { readFile } = await import('node:fs/promises');
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(
    JSON.stringify(
      await measureSpread({ scenes: Number(process.argv[2] ?? 20), seconds: Number(process.argv[3] ?? 2), rounds: Number(process.argv[4] ?? 3) }),
      null,
      1,
    ),
  );
  process.exit(0);
}
