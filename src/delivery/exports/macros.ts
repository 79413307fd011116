import { posix } from 'node:path';
import type { ExportTarget } from './target.js';

/** Macro values by name, without the underscores around it. */
export type Macros = Readonly<Record<string, string>>;

/** Computes the values of JSON2Video's export macros. Times are UTC. */
export function createMacros(file: { name: string; downloadUrl: string }, nowMs: number, random: () => number): Macros {
  const now = new Date(nowMs).toISOString();
  const extension = posix.extname(file.name);
  return Object.freeze({
    yyyy: now.slice(0, 4),
    mm: now.slice(5, 7),
    dd: now.slice(8, 10),
    hh: now.slice(11, 13),
    nn: now.slice(14, 16),
    ss: now.slice(17, 19),
    random: randomWord(random),
    filename: file.name,
    filename_without_extension: posix.basename(file.name, extension),
    filename_extension: extension.slice(1),
    video_url: file.downloadUrl,
  });
}

/** Twelve random base-36 characters. */
export function randomWord(random: () => number): string {
  return Array.from({ length: 12 }, () => Math.min(35, Math.floor(random() * 36)).toString(36)).join('');
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
