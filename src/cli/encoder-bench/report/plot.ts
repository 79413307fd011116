import type { Axis } from './axis.js';
import { tickText } from './axis.js';
import { escapeHtml } from './text.js';

/** Colour of a configuration in all plots: one hue per encoder, one shade per preset. */
export interface Look {
  name: string;
  /** Index of the encoder. */
  hue: number;
  /** Index of the configuration among those of its encoder. */
  shade: number;
}

/** Assigns hues and shades to configurations. */
export function looksOf(names: readonly string[]): Look[] {
  const encoderOf = (name: string): string => name.split(' ')[0] ?? name;
  const encoders = [...new Set(names.map(encoderOf))];
  return names.map((name, i) => ({
    name,
    hue: encoders.indexOf(encoderOf(name)),
    shade: names.slice(0, i).filter((other) => encoderOf(other) === encoderOf(name)).length,
  }));
}

/** Size and margins of a plot in SVG units. */
export const frame = { width: 720, height: 420, left: 62, right: 16, top: 14, bottom: 52 } as const;

/** Number of colours in the style sheet; further configurations have dashed lines. */
const HUES = 3;
const SHADES = 3;
const dashes = ['', '7 4', '2 3', '9 3 2 3'];

/** CSS colour of a configuration. */
export function colourOf({ hue, shade }: Look): string {
  return `var(--c${(hue % HUES) * SHADES + (shade % SHADES)})`;
}

/** SVG dash attribute of a configuration; empty for solid lines. */
export function dashOf({ hue, shade }: Look): string {
  const dash = dashes[(Math.floor(hue / HUES) + Math.floor(shade / SHADES)) % dashes.length] ?? '';
  return dash === '' ? '' : ` stroke-dasharray="${dash}"`;
}

/** A plot with axes, grid and labels around `content`. */
export function plot(title: string, x: Axis, y: Axis, labels: { x: string; y: string }, content: string): string {
  const { width, height, left, right, top, bottom } = frame;
  const [endX, endY] = [width - right, height - bottom];
  const vertical = x.ticks.map((tick) => {
    const at = x.place(tick).toFixed(1);
    return `<line class="grid" x1="${at}" x2="${at}" y1="${top}" y2="${endY}"/><text class="tick" x="${at}" y="${endY + 18}" text-anchor="middle">${tickText(tick)}</text>`;
  });
  const horizontal = y.ticks.map((tick) => {
    const at = y.place(tick).toFixed(1);
    return `<line class="grid" x1="${left}" x2="${endX}" y1="${at}" y2="${at}"/><text class="tick" x="${left - 8}" y="${at}" dy="0.35em" text-anchor="end">${tickText(tick)}</text>`;
  });
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">
${[...vertical, ...horizontal].join('')}
<path class="axis" d="M${left} ${top}V${endY}H${endX}"/>
<text class="label" x="${(left + endX) / 2}" y="${height - 10}" text-anchor="middle">${escapeHtml(labels.x)}</text>
<text class="label" transform="translate(15 ${(top + endY) / 2}) rotate(-90)" text-anchor="middle">${escapeHtml(labels.y)}</text>
${content}
</svg>`;
}

/** A dot with a tooltip. */
export function marker(look: Look, x: number, y: number, tooltip: string, radius = 4.5): string {
  return `<circle class="mark" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius}" fill="${colourOf(look)}"><title>${escapeHtml(tooltip)}</title></circle>`;
}

/** List of configurations with their line styles. */
export function legend(looks: readonly Look[]): string {
  const entries = looks.map(
    (look) =>
      `<li><svg viewBox="0 0 26 10" width="26" height="10" aria-hidden="true"><line x1="0" x2="26" y1="5" y2="5" stroke="${colourOf(look)}" stroke-width="2.5"${dashOf(look)}/><circle cx="13" cy="5" r="4" fill="${colourOf(look)}"/></svg>${escapeHtml(look.name)}</li>`,
  );
  return `<ul class="legend">${entries.join('')}</ul>`;
}
