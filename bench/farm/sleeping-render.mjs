import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A render process that sleeps for as long as each scene lasts instead of rendering it, so that hosts on one machine have cores
 * of their own. It speaks with its host as the real one does, and leaves the same files.
 */
const send = (message) => process.connected && process.send(message);
const empty = { durationSeconds: 1, sizeBytes: 1, frames: 1, warnings: [], encoder: 'libx264' };
let proceed = () => {};
let draining = false;

async function plan({ jobId, workDir, script }) {
  const durationSeconds = script.scenes.reduce((sum, { duration }) => sum + duration, 0);
  send({ type: 'planned', jobId, durationSeconds, credits: Math.ceil(durationSeconds) });
  await new Promise((resolve) => {
    proceed = resolve;
  });
  const parts = [];
  for (const [index, { duration }] of script.scenes.entries()) {
    const document = `part-${index}.json`;
    await writeFile(join(workDir, document), JSON.stringify({ sleepMs: duration * 1000 }));
    parts.push({ kind: 'picture', stage: `rendering_scene_${index + 1}`, weight: 1, range: { first: 0, end: 1 }, document, sources: [] });
  }
  const layout = { identity: 'sleeping-render', durationSeconds, frames: parts.length, warnings: [], encodings: [{ encoder: 'libx264', parts }], sources: [] };
  await writeFile(join(workDir, 'layout.json'), JSON.stringify(layout));
  return { ...empty, durationSeconds };
}

async function renderDistributedSegment({ workDir, task }) {
  const { sleepMs } = JSON.parse(await readFile(join(task.stagedDir, 'document.json'), 'utf8'));
  await sleep(sleepMs);
  await writeFile(join(workDir, 'packets.nut'), 'slept');
}

async function render(job) {
  const { jobId, workDir, outputPath, task } = job;
  await mkdir(workDir, { recursive: true });
  let output = empty;
  if (task.kind === 'layout') output = await plan(job);
  else if (task.kind === 'part') await renderDistributedSegment(job);
  else {
    await mkdir(dirname(outputPath), { recursive: true });
    await writeFile(outputPath, 'film');
  }
  send({ type: 'completed', jobId, ...output });
  if (draining) process.disconnect();
  else send({ type: 'ready' });
}

process.on('message', (message) => {
  if (message.type === 'render') void render(message.job);
  else if (message.type === 'proceed') proceed();
  else if (message.type === 'describe') send({ type: 'ability', ability: { identity: 'sleeping-render', encoders: ['libx264'], compositors: ['cpu'] } });
  else if (message.type === 'drain') draining = true;
});
process.on('disconnect', () => process.exit(0));
send({ type: 'ready' });
