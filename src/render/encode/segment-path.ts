import { join } from 'node:path';

/** Where a render keeps the packets of its n-th segment until they are stitched. */
export function segmentPath(workDir: string, index: number): string {
  return join(workDir, `segment-${String(index).padStart(4, '0')}.nut`);
}
