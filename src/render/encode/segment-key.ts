import { createHash } from 'node:crypto';
import type { SizedSegment } from './segments.js';
import type { SourceHashes } from './source-contents.js';

/** Cache key of a segment: a hash of everything that decides its bytes, without paths and labels. */
export async function segmentKey({ timeline, range, size }: SizedSegment, engineIdentity: string, contents: SourceHashes): Promise<string> {
  const sources = [];
  for (const { kind, path, deinterlace = 'auto' } of timeline.sources) sources.push({ kind, deinterlace, content: await contents.hashOf(path) });
  const { handover: _way, hardwareDecode: _decoder, ...drawn } = timeline;
  const sections = timeline.sections.map(({ label: _stage, ...section }) => section);
  return createHash('sha256')
    .update(canonicalJson([engineIdentity, { ...drawn, sources, sections }, range, ...(size === undefined ? [] : [size])]))
    .digest('hex');
}

/** JSON with sorted properties. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
