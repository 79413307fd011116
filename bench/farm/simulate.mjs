import { fork } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { RenderQueue } from '../../dist/distributed/queue/render-queue.js';
import { cpuOf, round, spread, startRedis } from './redis.mjs';

const hostsPath = fileURLToPath(new URL('./hosts.mjs', import.meta.url));
const silent = { info() {}, warn() {} };
const accounts = 200;
const backMs = 3000;
/** What has not ended by then counts as lost. */
const drainMs = 90_000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** One rate of orders for some seconds, and then until all are done. */
export async function simulate({ rate, seconds, hosts, slots, processes, movies, crashesPerHour, speed }) {
  const redis = await startRedis();
  const seen = createRecord();
  const settings = { url: redis.url, hosts: Math.ceil(hosts / processes), slots, movies, crashesPerHour, backMs, prefix: 'farm', speed };
  const children = await Promise.all(Array.from({ length: processes }, () => startHosts(settings, seen)));
  const queue = await RenderQueue.open({ url: redis.url, log: silent, prefix: 'farm' });
  while (!queue.isConnected) await pause(20);
  const before = await cpuOf(queue.client);
  const idleMs = sum(seen.cpuMs.values());
  const began = performance.now();
  await order({ queue, rate, seconds, movies, seen });
  const arrivedMs = performance.now() - began;
  const cpuMs = sum(seen.cpuMs.values()) - idleMs;
  const partsMeanwhile = seen.parts;
  const behind = seen.submitted.size - seen.done.size;
  const used = (await cpuOf(queue.client)) - before;
  const memory = Number(/used_memory:(\d+)/.exec(await queue.client.info('memory'))?.[1]);
  for (const until = performance.now() + drainMs; seen.done.size < seen.submitted.size && performance.now() < until; ) await pause(100);
  for (const child of children) child.disconnect();
  await queue.close();
  await redis.stop();
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
    parts: seen.parts,
    partsTwice: seen.parts - seen.partIds.size,
    behind,
    busy: round(seen.workMs / speed / ((arrivedMs + 1) * hosts * slots)),
    partsPerSecond: round((seen.parts * 1000) / (performance.now() - began)),
    overheadMs: spread(seen.overheads),
    waitMs: spread(seen.waits),
    turnaroundMs: spread(seen.turnarounds),
    lagMs: spread(seen.lags),
    /** Of hosts and Redis, with all looking for work that is not there. */
    processorMsPerPart: round((cpuMs + used * 1000) / Math.max(1, partsMeanwhile)),
    hostCores: round(cpuMs / arrivedMs),
    load: round(loadavg()[0]),
    redisCores: round((used * 1000) / arrivedMs),
    redisMegabytes: round(memory / 1e6),
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
async function order({ queue, rate, seconds, movies, seen }) {
  const began = performance.now();
  let due = began;
  for (let number = 0; ; number += 1) {
    due += -Math.log(1 - Math.random()) * (3_600_000 / rate);
    if (due > began + seconds * 1000) break;
    if (due > performance.now()) await pause(due - performance.now());
    const movie = movies[Math.floor(Math.random() * movies.length)];
    const jobId = `movie.${movie.name}.${number}`;
    seen.submitted.set(jobId, performance.now());
    seen.workMs += movie.layoutMs + movie.stitchMs + movie.partsMs.reduce((sum, ms) => sum + ms, 0);
    const accountId = `account-${Math.floor(accounts * Math.random() ** 3)}`;
    queue.addMovie({ jobId, accountId, credits: Math.ceil(movie.seconds) }, 'layout').catch((error) => seen.troubles.push(String(error)));
  }
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
