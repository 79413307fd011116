import { type EncoderName, encoderNames } from '../../timeline/index.js';
import { UsageError } from '../exit-codes.js';
import { type Configuration, defaults, type Step } from './settings.js';

/** As the command line gives them. */
export interface BenchEncodersOptions {
  encoders?: string;
  presets: string[];
  ladder: string[];
  rounds: number;
  threads: string;
  frames: number;
  anchor?: string;
  metric: string;
  seed: number;
  timeout: number;
  output: string;
  keep?: boolean;
  json?: boolean;
}

/** `a,b` for every encoder, or `ENCODER:a,b` for one; the latter wins. */
export type PerEncoder<T> = (encoder: EncoderName) => T | undefined;

export function perEncoder<T>(option: string, texts: readonly string[], read: (text: string, encoder: EncoderName | undefined) => T): PerEncoder<T> {
  const own = new Map<EncoderName, T>();
  let all: T | undefined;
  for (const text of texts) {
    const [, name, list = ''] = /^(?:([^:]*):)?(.*)$/s.exec(text) ?? [];
    if (name === undefined) all = read(list, undefined);
    else own.set(encoderName(option, name), read(list, encoderName(option, name)));
  }
  return (encoder) => own.get(encoder) ?? all;
}

function encoderName(option: string, text: string): EncoderName {
  const found = encoderNames.find((name) => name === text);
  if (found === undefined) throw new UsageError(`${option}: there is no encoder "${text}"; there are ${encoderNames.join(', ')}.`);
  return found;
}

export function readEncoders(text: string): EncoderName[] {
  return [...new Set(items('--encoders', text).map((item) => encoderName('--encoders', item)))];
}

export function readPresets(text: string): string[] {
  return [...new Set(items('--presets', text))];
}

/** Qualities as numbers, rates as `500k` or `2M` (bits a second). */
export function readLadder(text: string, encoder: EncoderName | undefined): Step[] {
  const worst = encoder === undefined ? 63 : defaults[encoder].maxCrf;
  return items('--ladder', text).map((item) => {
    const [, digits = '', unit] = /^(\d+(?:\.\d+)?)([kM]?)$/.exec(item) ?? [];
    const value = Number(digits);
    if (digits === '') throw new UsageError(`--ladder: "${item}" is neither a quality (23) nor a rate (500k, 2M).`);
    if (unit === 'k' || unit === 'M') {
      const kbps = unit === 'M' ? value * 1000 : value;
      if (kbps < 1 || kbps > 1e6) throw new UsageError(`--ladder: the rate ${item} must be from 1k to 1000M.`);
      return { kbps };
    }
    if (value > worst) throw new UsageError(`--ladder: the quality ${item} must be from 0 to ${worst}${encoder === undefined ? '' : ` for ${encoder}`}.`);
    return { crf: value };
  });
}

/** Numbers of threads; `N` is one for each core. */
export function readThreads(text: string, cores: number): number[] {
  const counts = items('--threads', text).map((item) => {
    const count = item === 'N' ? cores : Number(item);
    if (!Number.isInteger(count) || count < 1 || count > 512)
      throw new UsageError(`--threads: "${item}" must be N (all cores) or a whole number from 1 to 512.`);
    return count;
  });
  return [...new Set(counts)];
}

function items(option: string, text: string): string[] {
  const list = text.split(',').map((item) => item.trim());
  if (list.some((item) => item === '')) throw new UsageError(`${option}: "${text}" must be a list with commas between its items.`);
  return list;
}

/** Their names tell the number of threads where there are several. */
export function listConfigurations(encoders: readonly EncoderName[], presets: PerEncoder<string[]>, threads: readonly number[]): Configuration[] {
  const nameOf = (encoder: string, preset: string, count: number): string =>
    [encoder, preset, threads.length === 1 ? '' : `${count} thread${count === 1 ? '' : 's'}`].filter((part) => part !== '').join(' ');
  return encoders.flatMap((encoder) =>
    (presets(encoder) ?? defaults[encoder].presets).flatMap((preset) =>
      threads.map((count): Configuration => ({ name: nameOf(encoder, preset, count), encoder, preset, threads: count })),
    ),
  );
}

/** What the others are compared with: `ENCODER` or `ENCODER:PRESET`; else what renders use, or the first of all. */
export function anchorOf(configurations: readonly Configuration[], text: string | undefined): Configuration {
  const [encoder, preset] = text?.split(':') ?? ['libx264', 'veryfast'];
  const most = Math.max(...configurations.map(({ threads }) => threads));
  const fitting = configurations.filter((entry) => entry.encoder === encoder && (preset === undefined || entry.preset === preset));
  if (text !== undefined && fitting.length === 0) throw new UsageError(`--anchor: "${text}" is not among what is measured.`);
  const found = fitting.find(({ threads }) => threads === most) ?? fitting[0] ?? configurations[0];
  if (found === undefined) throw new UsageError('There is nothing to measure.');
  return found;
}
