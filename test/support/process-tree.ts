import { readdirSync, readFileSync } from 'node:fs';

/** A process as shown in /proc. */
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

/** The process `root` and all its descendants. */
export function processTree(root: number): ProcessInfo[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const tree = all.filter(({ pid }) => pid === root);
  for (const member of tree) tree.push(...all.filter(({ parent }) => parent === member.pid));
  return tree;
}

/** Process ids whose environment contains the text. */
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
