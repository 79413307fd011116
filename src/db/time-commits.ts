import type { Driver } from 'kysely';

/** Makes a driver report the duration of each commit in seconds. */
export function timeCommits(driver: Driver, onCommit: ((seconds: number) => void) | undefined): Driver {
  if (onCommit === undefined) return driver;
  const commit = driver.commitTransaction.bind(driver);
  driver.commitTransaction = async (connection) => {
    const startedAt = performance.now();
    await commit(connection);
    onCommit((performance.now() - startedAt) / 1000);
  };
  return driver;
}
