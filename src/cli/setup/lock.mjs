import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildFolder } from './paths.mjs';

const lockFolder = join(buildFolder, 'setup.lock');
const ownerFile = join(lockFolder, 'owner');
/** A lock whose owner has not written its number after this long was left by a crash between the two. */
const ownerlessMs = 5_000;

function readOwner() {
  try {
    return Number(readFileSync(ownerFile, 'utf8'));
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function isStale(owner) {
  if (owner) {
    return !isAlive(owner);
  }
  try {
    return Date.now() - statSync(lockFolder).mtimeMs > ownerlessMs;
  } catch {
    return false;
  }
}

function tryLock() {
  try {
    mkdirSync(lockFolder);
  } catch (error) {
    if (error.code === 'EEXIST') {
      return false;
    }
    throw error;
  }
  writeFileSync(ownerFile, String(process.pid));
  return true;
}

function removeStaleLock() {
  // Renamed first: of several that find the same stale lock only one can rename it.
  const grave = `${lockFolder}.${process.pid}`;
  try {
    renameSync(lockFolder, grave);
    rmSync(grave, { recursive: true, force: true });
  } catch (error) {
    if (error.code !== 'ENOENT') {
      throw error;
    }
  }
}

/** Runs `work` while no other set-up works in this checkout. */
export async function withLock(progress, work) {
  mkdirSync(buildFolder, { recursive: true });
  let told = false;
  while (!tryLock()) {
    const owner = readOwner();
    if (isStale(owner)) {
      removeStaleLock();
      continue;
    }
    if (!told) {
      progress.line(`Waiting for another set-up in this checkout (process ${owner ?? 'unknown'}) …`);
      told = true;
    }
    await sleep(250);
  }
  const release = () => rmSync(lockFolder, { recursive: true, force: true });
  const onSignal = () => {
    release();
    process.exit(130);
  };
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  try {
    return await work();
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
    release();
  }
}
