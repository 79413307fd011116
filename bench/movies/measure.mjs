import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const watcher = fileURLToPath(new URL('measure.py', import.meta.url));

/** Runs a command to its end: {wallSeconds, cpuSeconds, peakBytes}. Throws with its last words when it fails. */
export function measure([program, ...args], options = {}) {
  const { stdout, error } = spawnSync('python3', [watcher, program, ...args], { encoding: 'utf8', ...options });
  if (error !== undefined) throw error;
  const { status, errors, ...cost } = JSON.parse(stdout);
  if (status !== 0) throw new Error(`${program} ended with ${status}:\n${errors}`);
  return cost;
}

/** Runs a command that is not measured; its standard output. */
export function run([program, ...args], options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26, ...options });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ended with ${status}:\n${stderr.slice(-2000)}`);
  return stdout;
}

export function isInstalled(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};
