import { readdirSync, readFileSync } from 'node:fs';
import { cpuSecondsOf } from '../service/programs.mjs';

/** Seconds of CPU time that a PostgreSQL server has used, with its child processes. */
export function cpuOfServer({ pid }) {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return children.reduce((sum, child) => sum + cpuOf(child), cpuSecondsOf(pid, true));
}

function parentOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** 0 for a process that has ended: the server's own figure then includes it. */
function cpuOf(pid) {
  try {
    return cpuSecondsOf(pid);
  } catch {
    return 0;
  }
}

export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  return { best: at(0.1), median: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) };
}

export function round(value) {
  return Math.round(value * 100) / 100;
}
