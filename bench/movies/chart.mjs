import { writeFileSync } from 'node:fs';

/** Bars of wall time over the floor's, one group a movie. */

const colours = { floor: '#9aa5b1', framewright: '#e4572e', ffmpeg: '#2e86ab', melt: '#76b041', editly: '#8963ba', remotion: '#c9a227' };
const bar = { height: 22, gap: 6, left: 190, width: 640 };
const escaped = (text) => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]);

export function chartOf(result) {
  const parts = [];
  const rows = result.movies.flatMap(({ programs }) => programs);
  const largest = Math.max(1, ...rows.map(({ wallOverFloor }) => wallOverFloor));
  const line = (x, y, text, extra = '') => parts.push(`<text x="${x}" y="${y}" ${extra}>${escaped(text)}</text>`);
  let y = 40;
  line(20, y, 'Wall time, floor (encoding alone) = 1', 'font-size="20" font-weight="600"');
  line(20, y + 22, `${result.machine.cpu}, ${result.machine.cores} cores; ${result.rounds} rounds, medians`, 'fill="#52606d"');
  y += 60;
  for (const { name, settings, programs } of result.movies) {
    line(20, y, `${name}, ${settings.preset} crf ${settings.crf}`, 'font-weight="600"');
    y += 12;
    for (const row of programs) {
      const width = Math.max(1, (row.wallOverFloor / largest) * bar.width);
      line(bar.left - 12, y + 16, row.name, 'text-anchor="end"');
      parts.push(`<rect x="${bar.left}" y="${y}" width="${width.toFixed(1)}" height="${bar.height}" rx="3" fill="${colours[row.name] ?? '#52606d'}"/>`);
      line(
        bar.left + width + 8,
        y + 16,
        `${row.wallOverFloor.toFixed(2)} × (${row.wallSeconds.toFixed(1)} s, CPU ${row.cpuSeconds.toFixed(1)} s)`,
        'fill="#323f4b"',
      );
      y += bar.height + bar.gap;
    }
    y += 30;
  }
  const width = bar.left + bar.width + 240;
  return {
    width,
    height: y,
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" font-family="Inter, sans-serif" font-size="14"><rect width="100%" height="100%" fill="#fff"/>${parts.join('')}</svg>\n`,
  };
}

/** The chart as NAME.svg and NAME.png. */
export async function saveChart(result, base) {
  const { svg, width, height } = chartOf(result);
  writeFileSync(`${base}.svg`, svg);
  const { createCanvas, GlobalFonts, loadImage } = await import('@napi-rs/canvas');
  for (const weight of [400, 600])
    GlobalFonts.registerFromPath(new URL(`../../node_modules/@fontsource/inter/files/inter-latin-${weight}-normal.woff2`, import.meta.url).pathname, 'Inter');
  const canvas = createCanvas(width, height);
  canvas.getContext('2d').drawImage(await loadImage(Buffer.from(svg)), 0, 0);
  writeFileSync(`${base}.png`, canvas.toBuffer('image/png'));
}
