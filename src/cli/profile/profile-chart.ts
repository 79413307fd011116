import type { RenderProfile } from '../../render/index.js';
import { MAX_ELEMENTS, noElement } from './profile-table.js';

const colours: Record<string, string> = { decode: '#2e86ab', compose: '#e4572e', encode: '#9aa5b1' };
const bar = { left: 180, width: 560, height: 20, step: 26 };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A profile as a self-contained SVG: one bar per stage, then per scene, then per element. */
export function profileChart(profile: RenderProfile, wallSeconds: number): string {
  const parts: string[] = [];
  let y = 36;
  const text = (x: number, line: string, extra = ''): number => parts.push(`<text x="${x}" y="${y}" ${extra}>${escaped(line)}</text>`);
  const row = (label: string, pieces: ReadonlyArray<{ name: string; seconds: number }>, maxSeconds: number): void => {
    text(bar.left - 10, label, 'text-anchor="end"');
    let x = bar.left;
    for (const { name, seconds } of pieces) {
      const width = (seconds / maxSeconds) * bar.width;
      parts.push(
        `<rect x="${x.toFixed(1)}" y="${y - 14}" width="${width.toFixed(1)}" height="${bar.height}" fill="${colours[name] ?? '#52606d'}"><title>${escaped(name)} ${seconds.toFixed(3)} s</title></rect>`,
      );
      x += width;
    }
    text(x + 8, `${pieces.reduce((sum, one) => sum + one.seconds, 0).toFixed(3)} s`, 'fill="#52606d"');
    y += bar.step;
  };
  text(20, `Where the time went: ${wallSeconds.toFixed(2)} s in total`, 'font-size="18" font-weight="600"');
  y += 22;
  text(20, 'Decoding, composing, encoding and sound run in parallel.', 'fill="#52606d"');
  y += 30;
  const stages = profile.stages.map(({ stage, seconds }) => ({ name: stage, seconds }));
  const longest = Math.max(1e-9, ...stages.map(({ seconds }) => seconds));
  for (const stage of stages) row(stage.name, [stage], longest);
  const scenes = profile.scenes.map(({ label, decode, compose, encode }) => ({
    label,
    pieces: Object.entries({ decode, compose, encode }).map(([name, seconds]) => ({ name, seconds })),
  }));
  const sums = scenes.map(({ pieces }) => pieces.reduce((sum, { seconds }) => sum + seconds, 0));
  y += 20;
  for (const { label, pieces } of scenes) row(label, pieces, Math.max(1e-9, ...sums));
  const elements = profile.elements.slice(0, MAX_ELEMENTS);
  const slowest = Math.max(1e-9, ...elements.map(({ decode, compose }) => decode + compose));
  y += 20;
  for (const { label, decode, compose } of elements) {
    const pieces = Object.entries({ decode, compose }).map(([name, seconds]) => ({ name, seconds }));
    row(label || noElement, pieces, slowest);
  }
  const width = bar.left + bar.width + 110;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y + 10}" font-family="Inter, sans-serif" font-size="14"><rect width="100%" height="100%" fill="#fff"/>${parts.join('')}</svg>\n`;
}
