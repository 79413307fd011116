import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { plotFarm } from './plot.mjs';
import { measureQueueEntries } from './queue-entries.mjs';
import { simulate } from './simulate.mjs';

/**
 * A farm without the rendering: the real queue on a real PostgreSQL, hundreds of simulated render processes whose steps take as long as
 * real renders' did (samples.json). Orders arrive at random, at one rate after the other; then hosts crash.
 */
const { values } = parseArgs({
  options: {
    rates: { type: 'string', default: '1000,10000,40000' },
    fast: { type: 'string', default: '100000,200000,400000' },
    seconds: { type: 'string', default: '45' },
    hosts: { type: 'string', default: '100' },
    slots: { type: 'string', default: '4' },
    processes: { type: 'string', default: '4' },
    crashing: { type: 'string', default: '10000' },
    crashes: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
  },
});
const here = dirname(fileURLToPath(import.meta.url));
const results = join(here, '..', 'results', 'farm');
const { movies: sampled } = JSON.parse(await readFile(join(here, 'samples.json'), 'utf8'));
const movies = sampled.map((movie, index) => ({ ...movie, name: `${movie.name}-${index}` }));
const whole = { seconds: Number(values.seconds), hosts: Number(values.hosts), slots: Number(values.slots), processes: Number(values.processes), movies };

const entries = await measureQueueEntries();
console.error(JSON.stringify({ tickets: entries }));
const runs = [];
const run = async (rate, { crashesPerHour = 0, speed = 1 } = {}) => {
  const result = await simulate({ ...whole, rate, crashesPerHour, speed });
  runs.push(result);
  console.error(lineOf(result));
};
for (const rate of values.rates.split(',').filter(Boolean).map(Number)) await run(rate);
// As if each render process were ten: beyond what so many could render, to find where the queue itself ends.
for (const rate of values.fast.split(',').filter(Boolean).map(Number)) await run(rate, { speed: 10 });
if (Number(values.crashes) > 0) await run(Number(values.crashing), { crashesPerHour: Number(values.crashes) });

const machine = { cores: cpus().length, model: cpus()[0]?.model ?? '', node: process.version };
const report = {
  made: new Date().toISOString(),
  simulated: 'rendering and bucket',
  real: 'PostgreSQL, queue of src/distributed, job stores of src/jobs',
  machine,
  settings: { ...whole, movies: movies.length },
  tickets: entries,
  runs,
};
await mkdir(results, { recursive: true });
await writeFile(join(results, 'farm.json'), `${JSON.stringify(report, null, 1)}\n`);
await writeFile(join(results, 'farm.svg'), plotFarm(report));
if (values.json) console.log(JSON.stringify(report));
process.exit(runs.every(({ lost }) => lost === 0) ? 0 : 1);

function lineOf({
  rate,
  speed,
  crashesPerHour,
  crashes,
  done,
  submitted,
  overheadMs,
  waitMs,
  turnaroundMs,
  busy,
  postgresCores,
  moviesPerHour,
  hostCores,
  processorMsPerPart,
  load,
  behind,
}) {
  const crashing = crashesPerHour > 0 ? `, ${crashes} crashes` : '';
  return `${rate}/h${speed > 1 ? ` (${speed} times as fast)` : ''}${crashing}: ${done} of ${submitted} done, overhead per segment ${overheadMs.median} ms (p10 ${overheadMs.best}, p95 ${overheadMs.p95}), wait ${waitMs.median}/${waitMs.p95} ms, turnaround ${turnaroundMs.median}/${turnaroundMs.p95} ms, busy ${Math.round(busy * 100)} %, PostgreSQL ${postgresCores} cores, hosts ${hostCores} cores, ${processorMsPerPart} processor ms a part, load ${load}, ${behind} behind at the end, ${moviesPerHour} movies an hour finished`;
}
