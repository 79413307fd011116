import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildFolder } from './paths.mjs';

const lockFolder = join(buildFolder, 'setup.lock');
const ownerFile = join(lockFolder, 'owner');
/** A lock that still has no owner after this time was left by a crash between creating it and writing the owner. */
const maxOwnerlessMs = 5_000;

function readOwner() {
  try {
    return Number(readFileSync(ownerFile, 'utf8'));
  } catch {
    return undefined;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function isStale(owner) {
  if (owner) return !isRunning(owner);
  const stats = statSync(lockFolder, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > maxOwnerlessMs;
}

function tryLock() {
  try {
    mkdirSync(lockFolder);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(ownerFile, String(process.pid));
  return true;
}

function removeStaleLock() {
  // Only one of several processes that find a stale lock can rename it.
  const renamed = `${lockFolder}.${process.pid}`;
  try {
    renameSync(lockFolder, renamed);
    rmSync(renamed, { recursive: true, force: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/** Calls `work` while no other set-up runs in this checkout. */
export async function withLock(progress, work) {
  mkdirSync(buildFolder, { recursive: true });
  let isReported = false;
  while (!tryLock()) {
    const owner = readOwner();
    if (isStale(owner)) {
      removeStaleLock();
      continue;
    }
    if (!isReported) progress.line(`Waiting for another set-up in this checkout (process ${owner ?? 'unknown'}) …`);
    isReported = true;
    await sleep(250);
  }
  const release = () => rmSync(lockFolder, { recursive: true, force: true });
  const onSignal = () => {
    release();
    process.exit(130);
  };
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    return await work();
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    release();
  }
}
