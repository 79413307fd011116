import { readdirSync, readFileSync } from 'node:fs';

/** One process as /proc shows it. */
export interface ProcessInfo {
  pid: number;
  parent: number;
  /** R, S, Z (defunct) … */
  state: string;
  command: string;
  residentBytes: number;
  descriptors: number;
}

const pageBytes = 4096;

/** All processes that are descended from this one, and itself. */
export function processTree(root: number): ProcessInfo[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const tree = all.filter(({ pid }) => pid === root);
  for (const member of tree) tree.push(...all.filter(({ parent }) => parent === member.pid));
  return tree;
}

/** Processes in whose environment this text stands. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readText(Number(name), 'environ').includes(text))
    .map(Number);
}

function readProcess(pid: number): ProcessInfo | undefined {
  const stat = readText(pid, 'stat');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 22) return undefined;
  const command = readText(pid, 'cmdline').replaceAll('\0', ' ').trim();
  return { pid, parent: Number(fields[1]), state: fields[0] ?? '', command, residentBytes: Number(fields[21]) * pageBytes, descriptors: countDescriptors(pid) };
}

function countDescriptors(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

function readText(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
