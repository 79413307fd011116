import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureSpread } from './distributed-render.mjs';
import { measureQueueEntries } from './queue-entries.mjs';
import { simulate } from './simulate.mjs';

/**
 * What sharing costs, at a load that this machine can carry: the queue for each part with several hosts (simulated ones, real queue), and the whole farm
 * but for the rendering for one movie on one host and on two. Several short runs, as other programs may be at work: `node bench/farm/overhead.mjs [ROUNDS]`
 */
const here = dirname(fileURLToPath(import.meta.url));
const rounds = Number(process.argv[2] ?? 3);
const { movies: sampled } = JSON.parse(await readFile(join(here, 'samples.json'), 'utf8'));
const movies = sampled.map((movie, index) => ({ ...movie, name: `${movie.name}-${index}` }));
// Each as fast as ten, so that a short run has many parts: half of what 16 render processes can do.
const moderate = { rate: 8000, seconds: 20, hosts: 8, slots: 2, processes: 4, crashesPerHour: 0, speed: 10, movies };

const entries = await measureQueueEntries();
const queue = [];
for (let round = 0; round < rounds; round += 1) {
  const { done, submitted, parts, busy, overheadMs, processorMsPerPart, hostCores, postgresCores, load, lagMs } = await simulate(moderate);
  queue.push({ done, submitted, parts, busy, overheadMs, processorMsPerPart, hostCores, postgresCores, load, lagMs });
  console.error(JSON.stringify(queue.at(-1)));
}
const whole = await measureSpread({ rounds });
console.error(JSON.stringify(whole));
const machine = { cores: cpus().length, model: cpus()[0]?.model ?? '', node: process.version, load: loadavg()[0] };
const { movies: _all, ...settings } = moderate;
const results = join(here, '..', 'results', 'farm');
await mkdir(results, { recursive: true });
await writeFile(
  join(results, 'overhead.json'),
  `${JSON.stringify({ made: new Date().toISOString(), machine, settings, tickets: entries, queue, whole }, null, 1)}\n`,
);
process.exit(0);
