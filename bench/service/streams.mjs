import { setTimeout as sleep } from 'node:timers/promises';
import { endlessMovie } from './endless-movie.mjs';
import { followJob } from './event-reader.mjs';
import { requestBytes, textOf } from './load.mjs';
import { startService } from './programs.mjs';

const seconds = 8;
const deaf = 20;
const movie = endlessMovie({ width: 640, height: 360 });

/** Many readers of one job that is being rendered, some of whom never read: when each gets its events, and what a reader costs. */
export async function trialStreams({ streams: count }, print) {
  const service = await startService(1);
  const sockets = [];
  try {
    const key = service.createKey();
    const post = requestBytes('POST', '/api/render', { 'x-api-key': key }, JSON.stringify(movie));
    const { job_id: jobId } = JSON.parse(await textOf(service.url, post));
    const follow = { url: service.url, key, jobId };
    // The first few pay for what all share.
    for (let index = 0; index < 50; index += 1) sockets.push(await followJob({ ...follow, onText: () => {} }));
    await sleep(500);
    const before = service.memoryBytes();
    const events = new Map();
    const note = (text) => {
      for (const [, timestamp] of text.matchAll(/"timestamp":"([^"]+)"/g)) {
        const event = events.get(timestamp) ?? { readers: 0, lastAt: 0 };
        event.readers += 1;
        event.lastAt = Date.now();
        events.set(timestamp, event);
      }
    };
    for (let index = 0; index < deaf; index += 1) sockets.push(await followJob({ ...follow, paused: true }));
    for (let opened = 0; opened < count; opened += 100)
      sockets.push(...(await Promise.all(Array.from({ length: Math.min(100, count - opened) }, () => followJob({ ...follow, onText: note })))));
    const from = new Date().toISOString();
    await sleep(seconds * 1000);
    const bytes = (service.memoryBytes() - before) / (count + deaf);
    const until = new Date().toISOString();
    // Events still under way when we stop counting are late as well.
    await sleep(3000);
    const { status } = JSON.parse(await textOf(service.url, requestBytes('GET', `/api/jobs/${jobId}`, { 'x-api-key': key })));
    if (status !== 'processing') throw new Error(`The measurement needs a job that renders, but it is ${status}.`);
    const counted = [...events].filter(([timestamp]) => timestamp > from && timestamp < until);
    const missed = counted.reduce((sum, [, { readers }]) => sum + count - readers, 0);
    const slowestMs = Math.max(...counted.map(([timestamp, { lastAt }]) => lastAt - Date.parse(timestamp)));
    const perSecond = (counted.length * count) / seconds;
    print(`${count} streams of a job that renders: ${counted.length} events each (${Math.round(perSecond)}/s in all), ${missed} missed`);
    print(`  the last reader has an event ${slowestMs} ms after it happened at most; ${(bytes / 1024).toFixed(1)} KiB of memory a stream`);
    if (counted.length === 0 || missed > 0) throw new Error('Not every reader got every event.');
    return { streams: count, events: counted.length, missed, slowestMs, bytesPerStream: bytes };
  } finally {
    for (const socket of sockets) socket.destroy();
    await service.stop('SIGKILL');
    await service.remove();
  }
}
