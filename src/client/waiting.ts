/** Waits, or rejects with the signal's reason as soon as it is aborted. */
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

/** A signal that is also aborted when nothing was heard for a time. */
export interface Watch {
  readonly signal: AbortSignal;
  /** Something was heard: the time begins anew. */
  heard(): void;
  /** Whether it was the time, not the caller, that aborted. */
  readonly isOver: boolean;
  end(): void;
}

/** AbortSignal.any() came with Node 20.3, and cannot be asked to begin anew. */
export function watchSilence(ms: number, signal?: AbortSignal): Watch {
  const controller = new AbortController();
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onAbort = (): void => controller.abort(signal?.reason);
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isOver = true;
      controller.abort(new Error(`nothing was heard for ${Math.round(ms / 1000)} s`));
    }, ms);
  };
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  heard();
  return {
    signal: controller.signal,
    heard,
    get isOver() {
      return isOver;
    },
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
