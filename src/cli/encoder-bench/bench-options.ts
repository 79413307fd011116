import { type EncoderName, encoderNames } from '../../timeline/index.js';
import { UsageError } from '../exit-codes.js';
import { type Configuration, defaults, type Step } from './settings.js';

/** Options of `bench encoders` as parsed by commander. */
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

/** Value of an option for one encoder. */
export type PerEncoder<T> = (encoder: EncoderName) => T | undefined;

/** Parses a repeatable option: `a,b` for all encoders, `ENCODER:a,b` for one, which takes precedence. */
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
  if (found === undefined) throw new UsageError(`${option}: there is no encoder "${text}". Use one of ${encoderNames.join(', ')}.`);
  return found;
}

export function readEncoders(text: string): EncoderName[] {
  return [...new Set(items('--encoders', text).map((item) => encoderName('--encoders', item)))];
}

export function readPresets(text: string): string[] {
  return [...new Set(items('--presets', text))];
}

/** Parses qualities (numbers) and bit rates (`500k`, `2M`). */
export function readLadder(text: string, encoder: EncoderName | undefined): Step[] {
  const maxCrf = encoder === undefined ? 63 : defaults[encoder].maxCrf;
  return items('--ladder', text).map((item) => {
    const [, digits = '', unit] = /^(\d+(?:\.\d+)?)([kM]?)$/.exec(item) ?? [];
    const value = Number(digits);
    if (digits === '') throw new UsageError(`--ladder: "${item}" must be a quality (23) or a bit rate (500k, 2M).`);
    if (unit === 'k' || unit === 'M') {
      const kbps = unit === 'M' ? value * 1000 : value;
      if (kbps < 1 || kbps > 1e6) throw new UsageError(`--ladder: the bit rate ${item} must be from 1k to 1000M.`);
      return { kbps };
    }
    if (value > maxCrf) throw new UsageError(`--ladder: the quality ${item} must be from 0 to ${maxCrf}${encoder === undefined ? '' : ` for ${encoder}`}.`);
    return { crf: value };
  });
}

/** Parses thread counts; `N` is one per core. */
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
  if (list.some((item) => item === '')) throw new UsageError(`${option}: "${text}" must be a comma-separated list without empty items.`);
  return list;
}

/** All combinations of encoder, preset and thread count. Names contain the thread count if there are several. */
export function listConfigurations(encoders: readonly EncoderName[], presets: PerEncoder<string[]>, threads: readonly number[]): Configuration[] {
  const nameOf = (encoder: string, preset: string, count: number): string =>
    [encoder, preset, threads.length === 1 ? '' : `${count} thread${count === 1 ? '' : 's'}`].filter((part) => part !== '').join(' ');
  return encoders.flatMap((encoder) =>
    (presets(encoder) ?? defaults[encoder].presets).flatMap((preset) =>
      threads.map((count): Configuration => ({ name: nameOf(encoder, preset, count), encoder, preset, threads: count })),
    ),
  );
}

/** The reference of comparisons: `ENCODER` or `ENCODER:PRESET`; default: libx264 veryfast, else the first configuration. */
export function anchorOf(configurations: readonly Configuration[], text: string | undefined): Configuration {
  const [encoder, preset] = text?.split(':') ?? ['libx264', 'veryfast'];
  const maxThreads = Math.max(...configurations.map(({ threads }) => threads));
  const fitting = configurations.filter((entry) => entry.encoder === encoder && (preset === undefined || entry.preset === preset));
  if (text !== undefined && fitting.length === 0) throw new UsageError(`--anchor: "${text}" is not one of the measured configurations.`);
  const found = fitting.find(({ threads }) => threads === maxThreads) ?? fitting[0] ?? configurations[0];
  if (found === undefined) throw new UsageError('No encoder is left to measure.');
  return found;
}
