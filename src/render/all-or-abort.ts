/** Runs tasks in parallel. The first failure aborts the others and is thrown after all have settled. */
export async function allOrAbort<T extends readonly unknown[] | []>(
  outer: AbortSignal,
  start: (signal: AbortSignal) => T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const failed = new AbortController();
  const work = start(AbortSignal.any([outer, failed.signal]));
  try {
    return await Promise.all(work);
  } catch (error) {
    failed.abort();
    await Promise.allSettled(work);
    throw error;
  }
}
