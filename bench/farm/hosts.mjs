import { RenderQueue } from '../../dist/distributed/queue/render-queue.js';

/**
 * Simulated hosts of a farm in this process: the real queue (entries, locks, stalled checks, turns) on a real Redis, and instead of
 * rendering a pause as long as some real render's step took. Settings come as JSON in the first argument; what happened goes to the parent.
 */
const { url, hosts, slots, movies, crashesPerHour, backMs, prefix, speed } = JSON.parse(process.argv[2]);
const group = 'simulated';
const silent = { info() {}, warn() {} };
const samples = new Map(movies.map((movie) => [movie.name, movie]));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms / speed));
/** On the clock that all processes here share. */
const now = () => performance.timeOrigin + performance.now();
let overheads = [];
let lags = [];

/** Lost work is noticed by its lock: a crash drops it, as kill -9 would. */
class Host {
  #inHand = new Set();
  /** Since when each free render process is. */
  #freeSince = Array.from({ length: slots }, now);
  #looking = false;
  #again = false;
  #dead = false;

  async start() {
    this.queue = await RenderQueue.open({ url, log: silent, prefix });
    this.queue.onWake(() => this.look());
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
          const taken = await this.queue.next(group).catch(() => undefined);
          if (taken === undefined) break;
          // What had to wait for a render process waited for that, and not for the queue.
          this.work(taken, now() - Math.max(this.#freeSince.shift(), taken.entry.addedAt));
        }
      }
      this.#looking = false;
    })();
  }

  async work({ kind, entry }, waitedMs) {
    this.#inHand.add(entry);
    const renewing = setInterval(() => entry.extend().catch(() => {}), this.queue.renewMs);
    try {
      if (kind === 'part') await this.renderPart(entry, waitedMs);
      else if (entry.data.step === 'layout') await this.plan(entry);
      else await this.stitch(entry);
    } catch (error) {
      if (!this.#dead) process.send({ type: 'trouble', text: String(error) });
    } finally {
      clearInterval(renewing);
      this.#inHand.delete(entry);
      this.#freeSince.push(now());
      this.look();
    }
  }

  async renderDistributedSegment(entry, waitedMs) {
    const { part } = entry.data;
    await pause(part.ms);
    if (this.#dead) return;
    const began = performance.now();
    await entry.complete();
    overheads.push(waitedMs + performance.now() - began);
    process.send({ type: 'part', id: entry.id });
  }

  async plan(entry) {
    const sample = sampleOf(entry.id);
    process.send({ type: 'begun', id: entry.id });
    await pause(sample.layoutMs);
    if (this.#dead) return;
    await entry.update({ ...entry.data, step: 'stitch', group });
    const parts = sample.partsMs.map((ms, index) => ({
      index,
      ms,
      stage: 'rendering',
      share: 1,
      packets: `${index}`,
      sources: [],
      document: '',
      range: { first: 0, end: 1 },
    }));
    await this.queue.addSegments(entry, entry.id.replaceAll('-', ''), group, parts);
    if (!(await entry.waitForSegments())) await entry.requeue();
  }

  async stitch(entry) {
    await pause(sampleOf(entry.id).stitchMs);
    if (this.#dead) return;
    await entry.complete();
    process.send({ type: 'done', id: entry.id });
  }

  /** Another takes its place after a while. */
  die() {
    this.#dead = true;
    clearInterval(this.poll);
    process.send({ type: 'crash', lost: this.#inHand.size });
    void this.queue.close();
    setTimeout(() => new Host().start(), backMs);
  }
}

/** The movie's kind is in its id. */
const sampleOf = (id) => samples.get(id.split('.')[1]);

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
for (let index = 0; index < hosts; index += 1) await new Host().start();
process.send({ type: 'ready' });
process.on('disconnect', () => process.exit(0));
