import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files that git tracks or would track, as paths from the root with forward slashes. */
export function listSourceFiles(...folders: string[]): string[] {
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...folders], { cwd: root, encoding: 'utf8' });
  return output
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(root, path)))
    .sort();
}

export const readSource = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The folder below src/ or native/ that owns a file; the file's own name when it lies directly below. */
export function ownerOf(path: string): string {
  const [, owner = ''] = path.split('/');
  return owner;
}

export interface Edge {
  from: string;
  to: string;
}

/** Cycles in a graph, each as the list of nodes on it. */
export function findCycles(edges: readonly Edge[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) {
    targets.set(from, [...(targets.get(from) ?? []), to]);
  }
  const cycles: string[][] = [];
  const settled = new Set<string>();
  const visit = (node: string, trail: string[]): void => {
    const at = trail.indexOf(node);
    if (at >= 0) {
      cycles.push([...trail.slice(at), node]);
      return;
    }
    if (settled.has(node)) {
      return;
    }
    for (const target of targets.get(node) ?? []) {
      visit(target, [...trail, node]);
    }
    settled.add(node);
  };
  for (const node of targets.keys()) {
    visit(node, []);
  }
  return cycles;
}

/** Everything that can be reached from a node, itself included. */
export function reachableFrom(start: string, edges: readonly Edge[]): Set<string> {
  const reached = new Set([start]);
  for (const node of reached) {
    for (const { from, to } of edges) {
      if (from === node) {
        reached.add(to);
      }
    }
  }
  return reached;
}
