/** One line of a plot. Lines share an axis, and each is scaled to its own maximum. */
export interface Line {
  name: string;
  unit: string;
  values: readonly number[];
}

const width = 900;
const rowHeight = 110;
const left = 190;

export function plotLines(title: string, lines: readonly Line[]): string {
  const rows = lines.map((line, index) => plotRow(line, 40 + index * rowHeight));
  const height = 40 + lines.length * rowHeight;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="13"><rect width="100%" height="100%" fill="#fff"/><text x="10" y="24" font-size="16">${title}</text>${rows.join('')}</svg>\n`;
}

function plotRow({ name, unit, values }: Line, top: number): string {
  const max = Math.max(1, ...values);
  const step = (width - left - 20) / Math.max(1, values.length - 1);
  const points = values.map((value, index) => `${(left + index * step).toFixed(1)},${(top + (rowHeight - 20) * (1 - value / max)).toFixed(1)}`);
  const [first, last] = [values[0] ?? 0, values.at(-1) ?? 0];
  const caption = [name, `first ${format(first)} ${unit}`, `last ${format(last)} ${unit}`, `most ${format(max)} ${unit}`];
  const texts = caption.map((text, index) => `<text x="10" y="${top + 18 + index * 18}">${text}</text>`);
  return `${texts.join('')}<rect x="${left}" y="${top}" width="${width - left - 20}" height="${rowHeight - 20}" fill="#f4f4f4"/><polyline points="${points.join(' ')}" fill="none" stroke="#1f5fa8" stroke-width="1.5"/>`;
}

function format(value: number): string {
  return value >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(1);
}
