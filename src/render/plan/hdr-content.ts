import type { Problem } from '../../errors/index.js';
import type { MediaFile } from '../../timeline/index.js';

/** Warns of high-dynamic-range files, by element path: the output is SDR, so they look different from a display that shows HDR. */
export function findHdrContent(media: ReadonlyMap<string, MediaFile>): Problem[] {
  return [...media].flatMap(([path, { hdr }]) =>
    hdr === undefined
      ? []
      : [{ path, message: `the file is HDR (${hdr.toUpperCase()}) and is shown as SDR: its brightness is tone-mapped and its colours are mapped to BT.709` }],
  );
}
