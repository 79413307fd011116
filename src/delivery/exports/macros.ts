import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { ExportFile } from './delivery.js';
import type { ExportTarget } from './target.js';

/** Macro values by name, without the underscores around it. */
export type Macros = Readonly<Record<string, string>>;

/** Computes the values of JSON2Video's export macros for one target. They are the same in every delivery, so that a repeated one replaces the file. */
export function createMacros(file: Pick<ExportFile, 'name' | 'downloadUrl' | 'seed' | 'completedAtMs'>, target: { path: string }): Macros {
  const now = new Date(file.completedAtMs).toISOString();
  const extension = posix.extname(file.name);
  return Object.freeze({
    yyyy: now.slice(0, 4),
    mm: now.slice(5, 7),
    dd: now.slice(8, 10),
    hh: now.slice(11, 13),
    nn: now.slice(14, 16),
    ss: now.slice(17, 19),
    random: randomWord(file, target),
    filename: file.name,
    filename_without_extension: posix.basename(file.name, extension),
    filename_extension: extension.slice(1),
    video_url: file.downloadUrl,
  });
}

/** Twelve base-36 characters, unpredictable without the file's seed and the same in every delivery to a target. */
export function randomWord({ seed }: { seed: string }, target: { path: string }): string {
  const hash = createHash('sha256').update(`${seed} ${target.path}`).digest('hex');
  return BigInt(`0x${hash}`).toString(36).slice(-12);
}

type Fill = (text: string) => string;

/** Replaces the macros in a target's texts. Hosts, accounts and secrets are left unchanged. */
export function fillMacros(target: ExportTarget, macros: Macros): ExportTarget {
  const fill: Fill = (text) => fillText(text, macros, (value) => value);
  switch (target.type) {
    case 's3':
      return { ...target, ...filled('key', target.key, fill), ...filled('prefix', target.prefix, fill) };
    case 'ftp':
    case 'sftp':
      return { ...target, remotePath: fill(target.remotePath), ...filled('file', target.file, fill) };
    case 'email':
      return { ...target, subject: fill(target.subject), message: fill(target.message) };
    case 'youtube':
      return { ...target, title: fill(target.title), description: fill(target.description), tags: target.tags.map(fill) };
    case 'webhook':
      return { ...target, endpoint: fillText(target.endpoint, macros, encodeURIComponent) };
  }
}

/** Unknown macros are left unchanged. */
function fillText(text: string, macros: Macros, encode: Fill): string {
  return text.replaceAll(/__([a-z][a-z_]*?)__/g, (whole, name: string) => (Object.hasOwn(macros, name) ? encode(macros[name] ?? '') : whole));
}

function filled<K extends string>(key: K, text: string | undefined, fill: Fill): { [P in K]?: string } {
  return (text === undefined ? {} : { [key]: fill(text) }) as { [P in K]?: string };
}
