import type { Page } from '../pages.js';

const STYLE_FIELDS =
  'Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding';

/** The header of an ASS file for a frame of this size: white text with a dark outline, centred at the bottom. */
export function assHeader({ width, height }: { width: number; height: number }): string {
  const side = Math.min(width, height);
  const [size, outline, margin] = [0.065, 0.0035, 0.06].map((share) => Number((share * side).toFixed(1)));
  return `[Script Info]
ScriptType: v4.00+
PlayResX: ${width}
PlayResY: ${height}
WrapStyle: 0
ScaledBorderAndShadow: yes

[V4+ Styles]
Format: ${STYLE_FIELDS}
Style: Default,Arial,${size},&H00FFFFFF,&H00B0B0B0,&H00101010,&H80000000,0,0,0,0,100,100,0,0,1,${outline},0,2,${margin},${margin},${margin},1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text`;
}

/** One page as an event; where words have times of their own, with karaoke tags. */
export function writeAssEvent({ words, highlights }: Page, from: number, to: number): string {
  const [start, end] = [centiseconds(from), centiseconds(to)];
  const origin = words[0]?.start ?? 0;
  const text = words.map(({ text, style, glued, breakBefore, start: spoken }, index) => {
    const next = words[index + 1]?.start ?? origin + to - from;
    const karaoke = highlights ? `\\k${Math.max(0, centiseconds(next - origin) - centiseconds(spoken - origin))}` : '';
    const switches = [style.bold && 'b', style.italic && 'i', style.underline && 'u'].filter((tag) => typeof tag === 'string');
    const on = switches.map((tag) => `\\${tag}1`).join('');
    const off = switches.map((tag) => `\\${tag}0`).join('');
    const before = index === 0 ? '' : breakBefore ? '\\N' : glued ? '' : ' ';
    return `${before}${tags(karaoke + on)}${escapeText(text)}${tags(off)}`;
  });
  return `Dialogue: 0,${timestamp(start)},${timestamp(end)},Default,,0,0,0,,${text.join('')}`;
}

const tags = (overrides: string): string => (overrides === '' ? '' : `{${overrides}}`);

/** Braces begin overrides, and a backslash a tag. A word joiner (U+2060) keeps a backslash from being one. */
const escapeText = (text: string): string => text.replaceAll('\\', '\\\u2060').replaceAll('{', '\\{').replaceAll('}', '\\}').replaceAll('\n', '\\N');

const centiseconds = (seconds: number): number => Math.round(seconds * 100);

function timestamp(centis: number): string {
  const pad = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${Math.floor(centis / 360_000)}:${pad((centis / 6000) % 60)}:${pad((centis / 100) % 60)}.${pad(centis % 100)}`;
}
