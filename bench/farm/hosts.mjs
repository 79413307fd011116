import { randomUUID } from 'node:crypto';
import { systemClock } from '../../dist/accounts/index.js';
import { openDatabase, openNotifications } from '../../dist/db/index.js';
import { isWanted, TaskQueue } from '../../dist/distributed/queue/task-queue.js';
import { TaskStore } from '../../dist/distributed/queue/task-store.js';
import { DistributedJobStore, JobLeaseStore, JobNotifications } from '../../dist/jobs/index.js';

/**
 * Simulated hosts of a farm in this process: the real queue and the real job stores on a real PostgreSQL, and instead of rendering a pause as long as
 * some real render's step took. Settings come as JSON in the first argument; what happened goes to the parent.
 */
const { url, hosts, allHosts, slots, crashesPerHour, backMs, speed } = JSON.parse(process.argv[2]);
const group = 'simulated';
const leaseMs = 75_000;
/** Hosts that share the connections of one pool. */
const hostsPerPool = 5;
const log = { info() {}, warn() {}, error() {} };
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms / speed));
/** On the clock that all processes here share. */
const now = () => performance.timeOrigin + performance.now();
let overheads = [];
let lags = [];
const relay = new JobNotifications(await openNotifications({ url }, log));
const running = new Set();
relay.start(
  () => {},
  (count) => {
    for (const host of running) if (isWanted(count, allHosts)) host.queue.notify();
  },
);

/** Lost work is noticed by its lease: a crash drops it, as kill -9 would. */
class Host {
  #inHand = new Set();
  /** Since when each free render process is. */
  #freeSince = Array.from({ length: slots }, now);
  #looking = false;
  #again = false;
  #dead = false;

  constructor(db) {
    this.db = db;
    this.tasks = new TaskStore(db);
    this.leases = new JobLeaseStore(db, systemClock, leaseMs, [this.tasks]);
    this.jobs = new DistributedJobStore(db, systemClock, leaseMs);
  }

  start() {
    this.queue = new TaskQueue({ store: this.tasks, log, announce: (count) => relay.announceTasks(count) });
    this.queue.start(() => this.look());
    running.add(this);
    this.poll = setInterval(() => this.look(), 1000);
    if (crashesPerHour > 0) this.crash = setTimeout(() => this.die(), -Math.log(1 - Math.random()) * (3_600_000 / crashesPerHour));
  }

  /** As a pool does it: one look at a time. */
  look() {
    this.#again = true;
    if (this.#looking || this.#dead) return;
    this.#looking = true;
    void (async () => {
      while (this.#again && !this.#dead) {
        this.#again = false;
        for (let free = slots - this.#inHand.size; free > 0 && !this.#dead; free -= 1) {
          const began = now();
          const task = await this.queue.claim(group).catch(() => undefined);
          if (task === undefined) break;
          this.work(task, began, this.#freeSince.shift());
        }
      }
      this.#looking = false;
    })();
  }

  async work(task, began, freeSince) {
    this.#inHand.add(task);
    const claimMs = now() - began;
    try {
      if (task.row.kind === 'segment') await this.renderSegment(task, claimMs, began - freeSince);
      else if (task.row.kind === 'plan') await this.plan(task);
      else await this.stitch(task);
    } catch (error) {
      if (!this.#dead) process.send({ type: 'trouble', text: String(error) });
    } finally {
      if (!this.#dead) task.stopRenewing();
      this.#inHand.delete(task);
      this.#freeSince.push(now());
      this.look();
    }
  }

  async renderSegment(task, claimMs) {
    const { ms, share } = JSON.parse(task.row.plan);
    await pause(ms);
    if (this.#dead) return;
    const began = performance.now();
    const leaseExpiresAt = new Date(Date.now() + leaseMs).toISOString();
    const ended = await this.tasks.completeSegment({ ...task.key, run: task.row.run, progress: share * 0.9, stage: 'rendering', leaseExpiresAt });
    if (ended === undefined) return process.send({ type: 'refused' });
    overheads.push(claimMs + performance.now() - began);
    process.send({ type: 'part', id: `${task.row.run}-${task.row.id}` });
  }

  async plan(task) {
    const { jobId } = task.row;
    const found = await this.jobs.find(jobId);
    const run = randomUUID();
    const owner = `@farm|${run}|${randomUUID()}`;
    const name = (id) => `${id}-${'0'.repeat(64)}.mp4`;
    const claimed =
      found?.status === 'queued'
        ? await this.leases.claimJob(jobId, owner, name)
        : (await this.jobs.transferLease(jobId, found?.leaseOwner ?? '', owner, name(jobId)))?.claimed;
    if (claimed === undefined) return this.tasks.remove(task.key);
    process.send({ type: 'begun', id: jobId });
    const { layoutMs, partsMs } = claimed.script.sample;
    await pause(layoutMs);
    if (this.#dead) return;
    await this.leases.settle(jobId, owner, found.credits);
    await this.jobs.addProgress(jobId, run, 0, 'rendering');
    const range = { first: 0, end: 1 };
    const segments = partsMs.map((ms, index) => ({ index, ms, share: 1 / partsMs.length, stage: '', packets: `${index}`, sources: [], document: '', range }));
    if (await this.tasks.queueSegments(task.key, run, group, segments)) this.queue.wake(segments.length);
  }

  async stitch(task) {
    const { jobId } = task.row;
    const { leaseOwner } = await this.jobs.find(jobId);
    const [, run] = leaseOwner.split('|');
    const owner = `@farm|${run}|${randomUUID()}`;
    const { claimed } = await this.jobs.transferLease(jobId, leaseOwner, owner, `${jobId}-${'0'.repeat(64)}.mp4`);
    await pause(claimed.script.sample.stitchMs);
    if (this.#dead) return;
    await this.leases.complete(jobId, owner, { durationSeconds: 1, sizeBytes: 1, warnings: [] });
    await this.tasks.removeEnded(jobId);
    process.send({ type: 'done', id: jobId });
  }

  /** Another takes its place after a while. */
  die() {
    this.#dead = true;
    running.delete(this);
    clearInterval(this.poll);
    process.send({ type: 'crash', lost: this.#inHand.size });
    this.queue.close();
    setTimeout(() => new Host(this.db).start(), backMs);
  }
}

setInterval(() => {
  const { user, system } = process.cpuUsage();
  process.send({ type: 'overheads', ms: overheads, pid: process.pid, cpuMs: (user + system) / 1000 });
  overheads = [];
}, 1000);
let last = performance.now();
setInterval(() => {
  const at = performance.now();
  lags.push(at - last - 20);
  last = at;
  if (lags.length < 50) return;
  process.send({ type: 'lag', ms: lags.sort((a, b) => a - b)[25] });
  lags = [];
}, 20);
let db;
for (let index = 0; index < hosts; index += 1) {
  if (index % hostsPerPool === 0) db = await openDatabase({ url });
  new Host(db).start();
}
process.send({ type: 'ready' });
process.on('disconnect', () => process.exit(0));
