import type { TreeNode } from '../pack.js';
import { lookUp } from '../placeholders.js';
import type { Settings } from '../settings.js';

const rowStaggerMs = 90;
const rowDurationMs = 450;
const limits = { columns: 20, rows: 100 };

/** Nodes of a table: one row each, from the groups `data`, `header`, `first-column` and `cells`. */
export function tableNodes(settings: Settings): TreeNode[] {
  const columns = list(lookUp(settings, 'data.columns')).slice(0, limits.columns).map(textOf);
  const rows = list(lookUp(settings, 'data.rows'))
    .slice(0, limits.rows)
    .map((row) => list(row).slice(0, limits.columns).map(textOf));
  const count = Math.max(columns.length, ...rows.map((row) => row.length), 0);
  const widths = list(lookUp(settings, 'header.column-widths')).map((width) => (typeof width === 'number' ? width : String(width)));
  const hasHeader =
    columns.length > 0 && String(lookUp(settings, 'header.display') ?? 'true') !== 'none' && String(lookUp(settings, 'header.display')) !== 'false';
  const nodes: TreeNode[] = hasHeader ? [row(columns, count, widths, () => 'header', 'header', 0)] : [];
  for (const [i, cells] of rows.entries())
    nodes.push(row(cells, count, widths, (column) => (column === 0 ? 'first-column' : 'cells'), i % 2 === 0 ? 'even' : 'odd', nodes.length));
  return nodes;
}

function row(
  cells: readonly string[],
  count: number,
  widths: ReadonlyArray<string | number>,
  groupOf: (column: number) => string,
  look: 'header' | 'even' | 'odd',
  index: number,
): TreeNode {
  const style: Record<string, string> = look === 'odd' ? { background: '{{table.stripe}}' } : look === 'header' ? { background: '{{header.background}}' } : {};
  return {
    kind: 'box',
    style: { 'flex-direction': 'row', 'align-items': 'stretch', width: '100%', ...style },
    delay: index * rowStaggerMs,
    motion: {
      opacity: [
        { at: 0, value: 0, easing: 'easeOutQuad' },
        { at: rowDurationMs, value: 1 },
      ],
      'shift-y': [
        { at: 0, value: '1.2vw', easing: 'easeOutCubic' },
        { at: rowDurationMs, value: 0 },
      ],
    },
    children: Array.from({ length: count }, (_, column): TreeNode => cell(cells[column] ?? '', groupOf(column), widths[column])),
  };
}

function cell(text: string, group: string, width: string | number | undefined): TreeNode {
  const place: Record<string, string | number> =
    width === undefined ? { 'flex-grow': 1, 'flex-shrink': 1, width: 0 } : { width, 'flex-grow': 0, 'flex-shrink': 0 };
  // The word joiner keeps empty cells, which still have a background.
  return { kind: 'text', group, text: text.trim() === '' ? '\u2060' : text, fixed: place, style: { 'vertical-align': 'center' } };
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}
