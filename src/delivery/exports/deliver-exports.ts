import { posix } from 'node:path';
import type { DeliveryContext, ExportFile, ExportOptions } from './delivery.js';
import { ExportFailure, targetLabel, toExportFailure } from './export-failure.js';
import { createMacros, fillMacros } from './macros.js';
import type { ExportTarget, ExportType } from './target.js';

/** The outcome of delivering a file to one target. */
export interface ExportResult {
  type: ExportType;
  status: 'delivered' | 'failed';
  /** URL of the delivered file, without credentials. */
  location?: string;
  attempts: number;
  /** One sentence for the script's author; free of secrets. */
  message: string;
}

/** Delays between the attempts at one target. */
const RETRY_DELAYS_MS: readonly number[] = [1_000, 5_000, 25_000];
/** Time limit for all targets of a job together: 5 minutes. */
const BUDGET_MS = 5 * 60_000;
const IDLE_MS = 30_000;

/** Finds the file of a target; undefined if it no longer exists. */
export type FindFile = (target: ExportTarget) => ExportFile | undefined;

/**
 * Delivers one file, or each target its own, to all targets, one after the other. A failed target yields a result with status `failed`; the promise
 * rejects only when `options.signal` is aborted. `onResult` is called as soon as a target has succeeded or finally failed.
 */
export async function deliverExports(
  targets: readonly ExportTarget[],
  file: ExportFile | FindFile,
  options: ExportOptions,
  onResult: (result: ExportResult, index: number) => void = () => {},
): Promise<ExportResult[]> {
  const budget = new AbortController();
  const done = new AbortController();
  void options.clock.sleep(BUDGET_MS, done.signal).then(() => budget.abort());
  const results: ExportResult[] = [];
  try {
    for (const [index, target] of targets.entries()) {
      const own = typeof file === 'function' ? file(target) : file;
      const result = own === undefined ? missingFile(target) : await deliverWithRetries(target, own, options, budget.signal);
      results.push(result);
      onResult(result, index);
    }
  } finally {
    done.abort();
  }
  return results;
}

function missingFile({ type }: ExportTarget): ExportResult {
  return { type, status: 'failed', attempts: 0, message: 'The finished file no longer exists.' };
}

async function deliverWithRetries(target: ExportTarget, file: ExportFile, options: ExportOptions, budget: AbortSignal): Promise<ExportResult> {
  const signal = options.signal === undefined ? budget : AbortSignal.any([options.signal, budget]);
  let failure = outOfTime(target);
  let attempts = 0;
  while (!budget.aborted && attempts <= RETRY_DELAYS_MS.length) {
    attempts += 1;
    try {
      const { location } = await deliverExport(target, file, { ...options, signal });
      return { type: target.type, status: 'delivered', location, attempts, message: `Delivered to ${location}.` };
    } catch (error) {
      options.signal?.throwIfAborted();
      failure = budget.aborted ? outOfTime(target) : toExportFailure(error, target);
    }
    const delay = RETRY_DELAYS_MS[attempts - 1];
    if (!failure.retryable || delay === undefined) break;
    await options.clock.sleep(delay, signal);
    options.signal?.throwIfAborted();
  }
  return { type: target.type, status: 'failed', attempts, message: failure.message };
}

function outOfTime(target: ExportTarget): ExportFailure {
  return new ExportFailure(`${targetLabel(target)} did not receive the file within the 5 minutes that all exports of a job share.`, false);
}

/** Delivers a file to one target in a single attempt. Rejects with an ExportFailure, or with the signal's reason. */
export async function deliverExport(target: ExportTarget, file: ExportFile, options: ExportOptions): Promise<{ location: string }> {
  const { signal: outer, idleMs = IDLE_MS, ...rest } = options;
  const filled = fillMacros(target, createMacros(file, target));
  // Aborted at the end as well, so that a client that is still connected closes its connection.
  const end = new AbortController();
  const signal = outer === undefined ? end.signal : AbortSignal.any([outer, end.signal]);
  try {
    const location = await unlessAborted(deliver(filled, { file, options: rest, idleMs, signal }), signal);
    return { location };
  } catch (error) {
    outer?.throwIfAborted();
    throw toExportFailure(error, filled);
  } finally {
    end.abort();
  }
}

/** An output of several files becomes a folder where the target stores files. The last file is the one that refers to the others. */
async function deliver(target: ExportTarget, delivery: DeliveryContext): Promise<string> {
  const { parts } = delivery.file;
  if (parts === undefined || !storesFiles(target)) return deliverFile(target, delivery);
  let location = '';
  for (const part of parts) location = await deliverFile(inFolder(target, delivery.file.name, part.name), { ...delivery, file: { ...delivery.file, ...part } });
  return location;
}

type FileStore = Extract<ExportTarget, { type: 's3' | 'ftp' | 'sftp' }>;

const storesFiles = (target: ExportTarget): target is FileStore => ['s3', 'ftp', 'sftp'].includes(target.type);

/** The target for one file of a folder that has the name which a single file would have. */
function inFolder(target: FileStore, folder: string, file: string): FileStore {
  if (target.type !== 's3') return { ...target, remotePath: posix.join(target.remotePath, target.file ?? folder), file };
  const { key, prefix = '', ...rest } = target;
  return { ...rest, key: `${key ?? posix.join(prefix, folder)}/${file}` };
}

/** Imports the client on first use: the S3 client alone takes most of a second to load. */
async function deliverFile(target: ExportTarget, delivery: DeliveryContext): Promise<string> {
  switch (target.type) {
    case 's3':
      return (await import('./targets/s3.js')).deliverS3(target, delivery);
    case 'ftp':
      return (await import('./targets/ftp.js')).deliverFtp(target, delivery);
    case 'sftp':
      return (await import('./targets/sftp.js')).deliverSftp(target, delivery);
    case 'email':
      return (await import('./targets/email.js')).deliverEmail(target, delivery);
    case 'youtube':
      return (await import('./targets/youtube.js')).deliverYoutube(target, delivery);
    case 'webhook':
      return (await import('./targets/webhook.js')).deliverWebhook(target, delivery);
  }
}

/** Rejects as soon as `signal` is aborted, even when the client cannot be interrupted. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject);
  });
}
