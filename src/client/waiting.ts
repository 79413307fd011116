/** Waits. Rejects with the signal's reason when it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** An abort signal with a timeout that activity resets. */
export interface IdleTimeout {
  /** Aborted by the timeout or by the caller's signal. */
  readonly signal: AbortSignal;
  /** Restarts the timeout. */
  reset(): void;
  /** True when the timeout, not the caller, aborted. */
  readonly hasExpired: boolean;
  clear(): void;
}

/** Starts an idle timeout. Node before 20.3 lacks AbortSignal.any(). */
export function startIdleTimeout(ms: number, signal?: AbortSignal): IdleTimeout {
  const controller = new AbortController();
  let hasExpired = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onAbort = (): void => controller.abort(signal?.reason);
  const reset = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      hasExpired = true;
      controller.abort(new Error(`no data for ${Math.round(ms / 1000)} s`));
    }, ms);
  };
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  reset();
  return {
    signal: controller.signal,
    reset,
    get hasExpired() {
      return hasExpired;
    },
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
