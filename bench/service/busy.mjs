import { availableParallelism } from 'node:os';
import { endlessMovie } from './endless-movie.mjs';
import { followJob } from './event-reader.mjs';
import { drive, requestBytes, textOf } from './load.mjs';
import { startService } from './programs.mjs';

const seconds = 35;
const heartbeatMs = 15_000;
const movie = endlessMovie({ resolution: 'full-hd' });

/** What a client notices of the service while as many renders as there are cores go on. */
export async function trialBusy(_options, print) {
  const workers = availableParallelism();
  const service = await startService(workers);
  try {
    const key = service.createKey();
    const ids = [];
    const post = requestBytes('POST', '/api/render', { 'x-api-key': key }, JSON.stringify(movie));
    const keep = (_status, body) => ids.push(JSON.parse(body).job_id);
    while (ids.length <= workers) await drive({ url: service.url, request: () => post, connections: 1, seconds: 0.02, warmUpSeconds: 0, onAnswer: keep });
    const beats = [];
    const streams = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        beats[index] = [performance.now()];
        const onText = (text) => text.includes(': heartbeat') && beats[index].push(performance.now());
        return followJob({ url: service.url, key, jobId: ids.at(-1), onText });
      }),
    );
    const get = requestBytes('GET', `/api/jobs/${ids[0]}`, { 'x-api-key': key });
    const shown = await drive({ url: service.url, request: () => get, connections: 10, pauseMs: 20, seconds });
    const renders = JSON.parse(await textOf(service.url, get)).status;
    for (const stream of streams) stream.destroy();
    const lateMs = Math.max(...beats.flatMap((times) => times.slice(1).map((time, index) => time - times[index] - heartbeatMs)));
    const fewest = Math.min(...beats.map((times) => times.length - 1));
    print(`while ${workers} renders go on (${renders}): GET job p50 ${shown.p50.toFixed(1)} p99 ${shown.p99.toFixed(1)} max ${shown.max.toFixed(1)} ms`);
    print(`  heartbeats: at least ${fewest} on each of ${streams.length} streams in ${seconds} s, at most ${Math.round(lateMs)} ms late`);
    if (renders !== 'processing') throw new Error('The render ended before the measurement did.');
    return { p50: shown.p50, p99: shown.p99, max: shown.max, heartbeats: { fewest, lateMs } };
  } finally {
    await service.stop('SIGKILL');
    await service.remove();
  }
}
