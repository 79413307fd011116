import { fork } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { AccountStore, systemClock } from '../../dist/accounts/index.js';
import { openDatabase, openNotifications } from '../../dist/db/index.js';
import { TaskStore } from '../../dist/distributed/queue/task-store.js';
import { JobNotifications, JobStore } from '../../dist/jobs/index.js';
import { cpuOfServer, round, spread } from './figures.mjs';
import { loadServers } from './test-servers.mjs';

const hostsPath = fileURLToPath(new URL('./hosts.mjs', import.meta.url));
const silent = { info() {}, warn() {} };
const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 1_000_000 };
const accounts = 200;
const backMs = 3000;
/** What has not ended by then counts as lost. */
const drainMs = 90_000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** One rate of orders for some seconds, and then until all are done. */
export async function simulate({ rate, seconds, hosts, slots, processes, movies, crashesPerHour, speed }) {
  const { createPostgresServer } = await loadServers(['postgres-server']);
  const server = await createPostgresServer({ settings: ['max_connections=400'] });
  const seen = createRecord();
  const db = await openDatabase({ url: server.url });
  const jobs = new JobStore(db, systemClock, [new TaskStore(db)]);
  const accountIds = [];
  for (let index = 0; index < accounts; index += 1) {
    const account = { accountName: `account ${index}`, plan: 'enterprise', mode: 'live', credits: 1e9, limits };
    accountIds.push((await new AccountStore(db, systemClock).createKey(account)).accountId);
  }
  const relay = new JobNotifications(await openNotifications({ url: server.url }, silent));
  relay.start(() => {});
  const settings = { url: server.url, hosts: Math.ceil(hosts / processes), allHosts: hosts, slots, crashesPerHour, backMs, speed };
  const children = await Promise.all(Array.from({ length: processes }, () => startHosts(settings, seen)));
  await pause(1000);
  const submit = async (movie, accountId) => {
    const script = { sample: movie };
    const estimatedCredits = Math.ceil(movie.seconds);
    const { jobId } = await jobs.submit({ caller: { accountId, mode: 'live', limits }, script, estimatedCredits });
    relay.announceTasks(1);
    return jobId;
  };
  const before = cpuOfServer(server);
  const idleMs = sum(seen.cpuMs.values());
  const began = performance.now();
  await order({ submit, accountIds, rate, seconds, movies, seen });
  const arrivedMs = performance.now() - began;
  const cpuMs = sum(seen.cpuMs.values()) - idleMs;
  const partsMeanwhile = seen.parts;
  const behind = seen.submitted.size - seen.done.size;
  const used = cpuOfServer(server) - before;
  for (const until = performance.now() + drainMs; seen.done.size < seen.submitted.size && performance.now() < until; ) await pause(100);
  const wholeMs = performance.now() - began;
  for (const child of children) child.disconnect();
  const left = await db.selectFrom('tasks').select('id').execute();
  const rows = await db
    .selectFrom('jobs')
    .select((eb) => ['status', eb.fn.countAll().as('count')])
    .groupBy('status')
    .execute();
  await relay.close();
  await db.destroy();
  await server.remove();
  return {
    rate,
    speed,
    crashesPerHour,
    hosts,
    slots: hosts * slots,
    submitted: seen.submitted.size,
    done: seen.done.size,
    lost: seen.submitted.size - seen.done.size,
    twice: seen.twice,
    crashes: seen.crashes,
    lostTickets: seen.lostTickets,
    refused: seen.refused,
    jobs: Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)])),
    tasksLeft: left.length,
    parts: seen.parts,
    partsTwice: seen.parts - seen.partIds.size,
    behind,
    busy: round(seen.workMs / speed / ((arrivedMs + 1) * hosts * slots)),
    partsPerSecond: round((seen.parts * 1000) / wholeMs),
    moviesPerHour: Math.round((seen.done.size * 3_600_000) / wholeMs),
    overheadMs: spread(seen.overheads),
    waitMs: spread(seen.waits),
    turnaroundMs: spread(seen.turnarounds),
    lagMs: spread(seen.lags),
    /** CPU time of hosts and PostgreSQL for all that happens to a movie, by the number of its segments. */
    processorMsPerPart: round((cpuMs + used * 1000) / Math.max(1, partsMeanwhile)),
    hostCores: round(cpuMs / arrivedMs),
    load: round(loadavg()[0]),
    postgresCores: round((used * 1000) / arrivedMs),
    troubles: seen.troubles.slice(0, 5),
  };
}

function createRecord() {
  return {
    submitted: new Map(),
    done: new Set(),
    begun: new Set(),
    partIds: new Set(),
    twice: 0,
    crashes: 0,
    lostTickets: 0,
    refused: 0,
    parts: 0,
    workMs: 0,
    overheads: [],
    waits: [],
    turnarounds: [],
    lags: [],
    troubles: [],
    cpuMs: new Map(),
  };
}

/** Orders of many accounts, most of them of a few, at random times. */
async function order({ submit, accountIds, rate, seconds, movies, seen }) {
  const began = performance.now();
  const submissions = [];
  let due = began;
  for (;;) {
    due += -Math.log(1 - Math.random()) * (3_600_000 / rate);
    if (due > began + seconds * 1000) break;
    if (due > performance.now()) await pause(due - performance.now());
    const movie = movies[Math.floor(Math.random() * movies.length)];
    const accountId = accountIds[Math.floor(accounts * Math.random() ** 3)];
    const at = performance.now();
    const submission = submit(movie, accountId).then((jobId) => {
      seen.submitted.set(jobId, at);
      seen.workMs += movie.layoutMs + movie.stitchMs + movie.partsMs.reduce((sum, ms) => sum + ms, 0);
    });
    submissions.push(submission.catch((error) => seen.troubles.push(String(error))));
  }
  await Promise.all(submissions);
  await pause(Math.max(0, began + seconds * 1000 - performance.now()));
}

function startHosts(settings, seen) {
  return new Promise((resolve) => {
    const child = fork(hostsPath, [JSON.stringify(settings)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.on('message', (message) => {
      if (message.type === 'ready') resolve(child);
      else note(message, seen);
    });
  });
}

function note(message, seen) {
  const { submitted } = seen;
  const sinceOrder = () => performance.now() - submitted.get(message.id);
  switch (message.type) {
    case 'begun':
      if (!seen.begun.has(message.id)) seen.waits.push(sinceOrder());
      seen.begun.add(message.id);
      return;
    case 'done':
      if (seen.done.has(message.id)) seen.twice += 1;
      else seen.turnarounds.push(sinceOrder());
      seen.done.add(message.id);
      return;
    case 'part':
      seen.parts += 1;
      seen.partIds.add(message.id);
      return;
    case 'crash':
      seen.crashes += 1;
      seen.lostTickets += message.lost;
      return;
    case 'refused':
      seen.refused += 1;
      return;
    case 'overheads':
      for (const ms of message.ms) seen.overheads.push(ms);
      seen.cpuMs.set(message.pid, message.cpuMs);
      return;
    case 'lag':
      seen.lags.push(message.ms);
      return;
    case 'trouble':
      seen.troubles.push(message.text);
  }
}

function sum(values) {
  return [...values].reduce((all, one) => all + one, 0);
}
