import { relative } from 'node:path';

export function joinCoverage(reports, folder, isCounted) {
  const files = new Map();
  for (const { current_working_directory: base, files: reported } of reports) {
    for (const { file, lines } of reported) {
      const path = relative(folder, new URL(file, `file://${base}/`).pathname);
      if (path.startsWith('..') || lines.length === 0 || !isCounted(path)) continue;
      const counts = files.get(path) ?? new Map();
      for (const { line_number: line, count } of lines) counts.set(line, (counts.get(line) ?? 0) + count);
      files.set(path, counts);
    }
  }
  return files;
}

/** Consecutive numbers as ranges: "3, 7-9". */
function ranges(numbers) {
  const joined = [];
  for (const number of numbers) {
    const last = joined.at(-1);
    if (last !== undefined && last[1] + 1 === number) last[1] = number;
    else joined.push([number, number]);
  }
  return joined.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}

const percentOf = (executed, total) => (total === 0 ? 100 : (100 * executed) / total);
const row = (name, executed, total) => `${name.padEnd(58)} ${`${executed} of ${total}`.padStart(14)} ${percentOf(executed, total).toFixed(1).padStart(6)} %`;

export function formatCoverage(files, { showsMissing = false } = {}) {
  const lines = [];
  let allExecuted = 0;
  let all = 0;
  for (const [path, counts] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const missing = [...counts].filter(([, count]) => count === 0).map(([line]) => line);
    const executed = counts.size - missing.length;
    lines.push(row(path, executed, counts.size));
    if (showsMissing && missing.length > 0) lines.push(`    ${ranges(missing.sort((a, b) => a - b))}`);
    allExecuted += executed;
    all += counts.size;
  }
  lines.push(row('total', allExecuted, all));
  return { lines, percent: percentOf(allExecuted, all) };
}
