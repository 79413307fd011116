/** Range of a file; both ends are inclusive. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Parses a Range header; undefined stands for the whole file. Multiple ranges, other units and malformed values select the whole file,
 * as RFC 9110 allows.
 */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '');
  if (match === null) return undefined;
  const [, firstText = '', lastText = ''] = match;
  if (firstText === '') return lastText === '' ? undefined : parseSuffix(Number(lastText), sizeBytes);
  const first = Number(firstText);
  const last = lastText === '' ? sizeBytes - 1 : Math.min(Number(lastText), sizeBytes - 1);
  if (lastText !== '' && Number(lastText) < first) return undefined;
  return first >= sizeBytes ? 'unsatisfiable' : { first, last };
}

function parseSuffix(length: number, sizeBytes: number): ByteRange | 'unsatisfiable' {
  if (length === 0 || sizeBytes === 0) return 'unsatisfiable';
  return { first: Math.max(0, sizeBytes - length), last: sizeBytes - 1 };
}
