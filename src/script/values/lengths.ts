/** References of relative lengths, in canvas pixels. */
export interface LengthScale {
  canvasWidth: number;
  canvasHeight: number;
  /** 1em: the font size. */
  em: number;
  /** 100 % */
  percent: number;
}

const ROOT_FONT_SIZE = 16;

const units: Readonly<Record<string, (scale: LengthScale) => number>> = {
  '': () => 1,
  px: () => 1,
  pt: () => 4 / 3,
  vw: (scale) => scale.canvasWidth / 100,
  vh: (scale) => scale.canvasHeight / 100,
  vmin: (scale) => Math.min(scale.canvasWidth, scale.canvasHeight) / 100,
  vmax: (scale) => Math.max(scale.canvasWidth, scale.canvasHeight) / 100,
  em: (scale) => scale.em,
  rem: () => ROOT_FONT_SIZE,
  '%': (scale) => scale.percent / 100,
};

/** Supported length notations, for messages. */
export const lengthForms = 'a number (pixels) or a length like "20px", "4vw", "10vh", "1.5em" or "50%"';

/** Converts a CSS length to canvas pixels; bare numbers are pixels. Undefined for other text. */
export function parseLength(value: number | string, scale: LengthScale): number | undefined {
  if (typeof value === 'number') return value;
  const match = /^\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*([a-z]*|%)\s*$/i.exec(value);
  if (match === null) return undefined;
  const unit = units[(match[2] ?? '').toLowerCase()];
  const amount = Number(match[1]);
  return unit === undefined || !Number.isFinite(amount) ? undefined : amount * unit(scale);
}

/** Splits at `separator` outside of parentheses: `rgba(0, 0, 0, 0.5) 2px` has two words. */
export function splitOutsideParentheses(text: string, separator: ' ' | ','): string[] {
  if (!text.includes('(')) return separator === ',' ? text.split(',').map((entry) => entry.trim()) : text.split(/\s+/).filter((entry) => entry !== '');
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const letter of text) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    const splits = depth === 0 && (separator === ',' ? letter === ',' : /\s/.test(letter));
    if (splits) {
      parts.push(part);
      part = '';
    } else {
      part += letter;
    }
  }
  return [...parts, part].map((entry) => entry.trim()).filter((entry) => separator === ',' || entry !== '');
}
