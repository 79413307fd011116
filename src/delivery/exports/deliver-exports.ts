import type { DeliveryContext, ExportFile, ExportOptions } from './delivery.js';
import { ExportFailure, labelOf, toExportFailure } from './export-failure.js';
import { createMacros, fillMacros } from './macros.js';
import type { ExportTarget, ExportType } from './target.js';

export interface ExportResult {
  type: ExportType;
  status: 'delivered' | 'failed';
  /** Where the file lies now, without credentials. */
  location?: string;
  attempts: number;
  /** One sentence for the script's author. */
  message: string;
}

/** Waits between the tries of one target. */
const RETRY_DELAYS_MS: readonly number[] = [1_000, 5_000, 25_000];
/** For all targets of a job. */
const BUDGET_MS = 5 * 60_000;
const IDLE_MS = 30_000;

/**
 * Delivers a file to all targets, one after the other. A target that fails is a result like any other; the promise
 * rejects only when `parts.signal` is aborted. `onResult` hears of each target as soon as it is decided.
 */
export async function deliverExports(
  targets: readonly ExportTarget[],
  file: ExportFile,
  parts: ExportOptions,
  onResult: (result: ExportResult, index: number) => void = () => {},
): Promise<ExportResult[]> {
  const budget = new AbortController();
  const done = new AbortController();
  void parts.clock.sleep(BUDGET_MS, done.signal).then(() => budget.abort());
  const results: ExportResult[] = [];
  try {
    for (const [index, target] of targets.entries()) {
      const result = await deliverWithRetries(target, file, parts, budget.signal);
      results.push(result);
      onResult(result, index);
    }
  } finally {
    done.abort();
  }
  return results;
}

async function deliverWithRetries(target: ExportTarget, file: ExportFile, parts: ExportOptions, budget: AbortSignal): Promise<ExportResult> {
  // Once for all tries, so that each writes to the same place.
  const filled = fillMacros(target, createMacros(file, parts.clock.now(), parts.random));
  const signal = parts.signal === undefined ? budget : AbortSignal.any([parts.signal, budget]);
  let failure = outOfTime(target);
  let attempts = 0;
  while (!budget.aborted && attempts <= RETRY_DELAYS_MS.length) {
    attempts += 1;
    try {
      const { location } = await deliverExport(filled, file, { ...parts, signal });
      return { type: target.type, status: 'delivered', location, attempts, message: `Delivered to ${location}.` };
    } catch (error) {
      parts.signal?.throwIfAborted();
      failure = budget.aborted ? outOfTime(target) : toExportFailure(error, filled);
    }
    const delay = RETRY_DELAYS_MS[attempts - 1];
    if (!failure.retryable || delay === undefined) break;
    await parts.clock.sleep(delay, signal);
    parts.signal?.throwIfAborted();
  }
  return { type: target.type, status: 'failed', attempts, message: failure.message };
}

function outOfTime(target: ExportTarget): ExportFailure {
  return new ExportFailure(`${labelOf(target)} did not have the file within the 5 minutes that all exports of a job share.`, false);
}

/** Delivers to one target, in one try. Rejects with an ExportFailure, or with the signal's reason. */
export async function deliverExport(target: ExportTarget, file: ExportFile, parts: ExportOptions): Promise<{ location: string }> {
  const { signal: outer, idleMs = IDLE_MS, ...rest } = parts;
  const filled = fillMacros(target, createMacros(file, parts.clock.now(), parts.random));
  // Aborted at the end too, so that a client that is still connected lets go.
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

/** Clients are loaded when a script wants them: the one for S3 alone takes most of a second. */
async function deliver(target: ExportTarget, delivery: DeliveryContext): Promise<string> {
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

/** Not every client can be interrupted; nobody waits for one that cannot. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject);
  });
}
