/** A word, or a part of a word that is too wide for a line. Widths in pixels. */
interface Block {
  width: number;
  /** Space before the block unless it starts a line. */
  space: number;
  /** The caption file has a line break before the block. */
  breakBefore: boolean;
  /** False for the later parts of a split word, which do not count as words. */
  counts: boolean;
}

interface LineLimits {
  maxWidth: number;
  maxWords: number;
}

/** Returns the index of the first block of each line: the caption's own lines if they fit, otherwise the minimum number of lines of similar width. */
export function breakLines(blocks: readonly Block[], limits: LineLimits): number[] {
  const authoredStarts = blocks.flatMap(({ breakBefore }, i) => (i === 0 || breakBefore ? [i] : []));
  const own = authoredStarts.every((from, k) => fitsOnLine(blocks, from, authoredStarts[k + 1] ?? blocks.length, limits));
  if (authoredStarts.length > 1 && own) return authoredStarts;
  const lineCount = countLines(blocks, limits);
  return evenLines(blocks, limits, lineCount);
}

function widthOf(blocks: readonly Block[], from: number, to: number): number {
  let width = 0;
  for (let i = from; i < to; i++) width += (blocks[i]?.width ?? 0) + (i > from ? (blocks[i]?.space ?? 0) : 0);
  return width;
}

/** A line with a single block always fits, because it cannot be broken further. */
function fitsOnLine(blocks: readonly Block[], from: number, to: number, { maxWidth, maxWords }: LineLimits): boolean {
  if (to - from <= 1) return true;
  const words = blocks.slice(from, to).filter(({ counts }, i) => counts || i === 0).length;
  return words <= maxWords && widthOf(blocks, from, to) <= maxWidth + 0.01;
}

function countLines(blocks: readonly Block[], limits: LineLimits): number {
  let lines = 1;
  let from = 0;
  for (let to = 1; to <= blocks.length; to++) {
    if (fitsOnLine(blocks, from, to, limits)) continue;
    lines += 1;
    from = to - 1;
  }
  return lines;
}

/** Minimizes the sum of squared line widths over `lineCount` lines by dynamic programming. */
function evenLines(blocks: readonly Block[], limits: LineLimits, lineCount: number): number[] {
  const count = blocks.length;
  let costs = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
  costs[0] = 0;
  const cameFrom: Int32Array[] = [];
  for (let line = 0; line < lineCount; line++) {
    const next = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
    const from = new Int32Array(count + 1);
    for (let start = 0; start < count; start++) {
      if (costs[start] === Number.POSITIVE_INFINITY) continue;
      for (let end = start + 1; end <= count && fitsOnLine(blocks, start, end, limits); end++) {
        const cost = (costs[start] ?? 0) + widthOf(blocks, start, end) ** 2;
        if (cost < (next[end] ?? 0)) {
          next[end] = cost;
          from[end] = start;
        }
      }
    }
    cameFrom.push(from);
    costs = next;
  }
  const starts: number[] = [];
  for (let end = count, line = lineCount - 1; line >= 0; line--) {
    end = cameFrom[line]?.[end] ?? 0;
    starts.unshift(end);
  }
  return starts;
}
