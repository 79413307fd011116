import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A tmpfs that can be filled to the last byte. */
export interface SmallDisk {
  folder: string;
  /** Fills the disk up to this number of free bytes. */
  fill(leaveBytes?: number): void;
  empty(): void;
  remove(): void;
}

/** Returns undefined without the right to mount. */
export function mountSmallDisk(bytes: number, folder: string = mkdtempSync(join(tmpdir(), 'framewright-disk-'))): SmallDisk | undefined {
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'none', folder]).status !== 0) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill(leaveBytes = 0) {
      rmSync(ballast, { force: true });
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leaveBytes)));
    },
    empty: () => rmSync(ballast, { force: true }),
    remove() {
      spawnSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The reason to skip tests that need one. */
export function whyNoSmallDisk(): string | undefined {
  const disk = mountSmallDisk(65_536);
  disk?.remove();
  return disk === undefined ? 'no right to mount a small disk here (run as root, or in `unshare -rm`)' : undefined;
}
