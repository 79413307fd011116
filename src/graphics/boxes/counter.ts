import { createCanvas } from '../canvas/skia.js';
import { findEasing, formatAmount, type SceneNode } from '../components/index.js';
import { prepareContext } from '../text/brush.js';
import { graphemesOf } from '../text/lines/graphemes.js';
import { layersOf, type PaintLayer } from '../text/paint.js';
import { type FrameClock, frameAt } from './curves.js';
import type { Box } from './layout.js';
import type { ComponentPiece } from './piece.js';
import type { Sprite, SpritePainter } from './sprite-painter.js';
import type { PlacedLines } from './text-block.js';

const numberMark = '__num__';
/** Maximum number of values shown; a longer count changes only every few frames. */
const maxNumberCount = 3000;

function formatNumber(value: number, { values, style }: SceneNode): string {
  const decimals = Math.min(6, Math.max(0, Math.round(Number(values.decimals ?? 0))));
  const [thousands, decimal] = [String(values['thousands-separator'] ?? ''), String(values['decimal-separator'] ?? '.')];
  const text = formatAmount(value, { lang: style.typography.lang, decimals, thousands, decimal });
  return value < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

/** The counter's text with its longest number, by which the layout sizes the box. */
export function widestCounterText(node: SceneNode): string[] {
  const candidates = [Number(node.values.from ?? 0), Number(node.values.to ?? 0)].map((value) => formatNumber(value, node));
  const widest = candidates.sort((a, b) => b.length - a.length)[0] ?? '0';
  // Non-breaking spaces keep grouped digits in one word.
  const digits = widest.replaceAll(/\d/g, '0').replaceAll(' ', '\u00a0');
  return textOf(node).map((line) => line.replaceAll(numberMark, digits));
}

/** Breaks the text into the lines of its layout, so that line breaks do not change with the number. */
function linesOf(node: SceneNode, { fragments }: PlacedLines): string[] {
  const lineOfWord = new Map<number, number>();
  for (const { blank, word, line } of fragments) if (!blank && !lineOfWord.has(word)) lineOfWord.set(word, line);
  const paragraphs = textOf(node).map((text) => ({ text, words: text.split(/\s+/).filter((word) => word !== '') }));
  // Text in scripts without spaces between words is not broken.
  if (lineOfWord.size !== paragraphs.reduce((sum, { words }) => sum + words.length, 0)) return textOf(node);
  let count = 0;
  return paragraphs.flatMap(({ text, words }) => {
    const lines = new Map<number, string[]>();
    for (const word of words) {
      const line = lineOfWord.get(count) ?? 0;
      lines.set(line, [...(lines.get(line) ?? []), word]);
      count += 1;
    }
    return lines.size <= 1 ? [text] : [...lines.values()].map((line) => line.join(' '));
  });
}

function textOf(node: SceneNode): string[] {
  return node.text?.paragraphs.map(({ text }) => text) ?? [numberMark];
}

function numberAt(node: SceneNode, frame: number, clock: FrameClock): string {
  const [from, to] = [Number(node.values.from ?? 0), Number(node.values.to ?? 0)];
  const length = frameAt(Number(node.values.duration ?? 0), clock);
  const start = frameAt(node.delayMs, clock);
  const t = length <= 0 ? 1 : Math.min(1, Math.max(0, (frame - start) / length));
  const ease = findEasing(String(node.values.easing ?? 'easeOutCubic')) ?? ((x: number) => x);
  return formatNumber(from + (to - from) * ease(t), node);
}

/**
 * Draws each distinct character once. Digits get the cells of those of the last number, so that it is spaced like a text and does not jitter before;
 * in numbers with more or fewer characters, cells of equal width.
 */
export async function drawCounter(box: Box, painter: SpritePainter, clock: FrameClock): Promise<ComponentPiece[]> {
  const { node, text } = box;
  if (text === undefined) return [];
  const shown: Array<{ text: string[]; start: number; frames: number }> = [];
  const templates = linesOf(node, text);
  const end = Math.min(clock.frames, Math.ceil(frameAt(node.delayMs + Number(node.values.duration ?? 0), clock)) + 1);
  const step = Math.max(1, Math.ceil(end / maxNumberCount));
  for (let frame = 0; frame < end; frame++) {
    const number = numberAt(node, frame >= end - 1 ? frame : frame - (frame % step), clock);
    const lines = templates.map((line) => line.replaceAll(numberMark, number));
    const last = shown.at(-1);
    if (last !== undefined && last.text.join('\n') === lines.join('\n')) last.frames++;
    else shown.push({ text: lines, start: frame, frames: 1 });
  }
  const last = shown.at(-1);
  if (last !== undefined) last.frames = clock.frames - last.start;
  const glyphs = new Glyphs(text, last?.text ?? [], painter);
  const pieces: ComponentPiece[] = [];
  for (const layer of layersOf(text.brush.typography)) pieces.push(...merge(await layerPieces(shown, layer, glyphs, box)));
  return pieces;
}

async function layerPieces(
  shown: ReadonlyArray<{ text: string[]; start: number; frames: number }>,
  layer: PaintLayer,
  glyphs: Glyphs,
  box: Box,
): Promise<ComponentPiece[]> {
  const pieces: ComponentPiece[] = [];
  for (const { text, start, frames } of shown) {
    for (const [line, characters] of text.entries()) {
      for (const { character, x } of glyphs.place(line, characters, box)) {
        const sprite = await glyphs.sprite(character, layer);
        if (sprite) pieces.push({ kind: 'sprite', ...sprite, x: sprite.x + x, y: sprite.y + glyphs.baseline(line, box), start, frames });
      }
    }
  }
  return pieces;
}

/** Merges pieces of a character that does not change between consecutive numbers. */
function merge(pieces: readonly ComponentPiece[]): ComponentPiece[] {
  const open = new Map<string, ComponentPiece>();
  const merged: ComponentPiece[] = [];
  for (const piece of pieces) {
    const key = `${piece.path} ${piece.x} ${piece.y}`;
    const before = open.get(key);
    if (before !== undefined && (before.start ?? 0) + (before.frames ?? 0) === piece.start) {
      before.frames = (before.frames ?? 0) + (piece.frames ?? 0);
      continue;
    }
    const own = { ...piece };
    open.set(key, own);
    merged.push(own);
  }
  return merged;
}

const charactersOf = (text: string): string[] => [...graphemesOf(text, 'en')].map(({ segment }) => segment);

class Glyphs {
  readonly #text: PlacedLines;
  readonly #painter: SpritePainter;
  readonly #sprites = new Map<string, Sprite | undefined>();
  readonly #context = createCanvas(1, 1).getContext('2d');
  readonly #digit: number;
  /** The characters of the last number's lines. */
  readonly #atRest: string[][];

  constructor(text: PlacedLines, lastLines: readonly string[], painter: SpritePainter) {
    this.#text = text;
    this.#atRest = lastLines.map(charactersOf);
    this.#painter = painter;
    prepareContext(this.#context, text.brush);
    this.#digit = Math.max(...[...'0123456789'].map((digit) => this.#context.measureText(digit).width));
  }

  /** Positions the characters of a line on even pixels, with the text's alignment. */
  place(line: number, text: string, box: Box): Array<{ character: string; x: number }> {
    const characters = charactersOf(text);
    const atRest = this.#atRest[line]?.length === characters.length ? this.#atRest[line] : undefined;
    const widths = characters.map((character, i) => this.#width(character, atRest?.[i]));
    const whole = widths.reduce((sum, width) => sum + width, 0);
    const share = { left: 0, justify: 0, center: 0.5, right: 1 }[this.#text.brush.typography.textAlign];
    let x = box.content.x + (box.content.width - whole) * share;
    return characters.map((character, i) => {
      const width = widths[i] ?? 0;
      const inset = /\d/.test(character) ? (width - this.#context.measureText(character).width) / 2 : 0;
      const at = { character, x: Math.round((x + inset) / 2) * 2 };
      x += width;
      return at;
    });
  }

  baseline(line: number, box: Box): number {
    const { brush } = this.#text;
    const first = this.#text.fragments[0]?.baseline ?? box.content.y + brush.ascent;
    return Math.round((first + line * brush.typography.fontSize * brush.typography.lineHeight) / 2) * 2;
  }

  async sprite(character: string, layer: PaintLayer): Promise<Sprite | undefined> {
    const key = `${layer} ${character}`;
    if (this.#sprites.has(key)) return this.#sprites.get(key);
    const width = this.#context.measureText(character).width;
    const fragment = {
      text: character,
      x: 0,
      baseline: 0,
      width,
      rightToLeft: false,
      blank: character.trim() === '',
      word: 0,
      line: 0,
      leftmost: true,
      rightmost: true,
    };
    const sprite = await this.#painter.drawText({ fragments: [fragment], layer }, this.#text.brush);
    this.#sprites.set(key, sprite);
    return sprite;
  }

  /** `atRest`: the character of the last number at the same place. */
  #width(character: string, atRest: string | undefined): number {
    if (!/\d/.test(character)) return this.#context.measureText(character).width;
    return atRest !== undefined && /\d/.test(atRest) ? this.#context.measureText(atRest).width : Math.ceil(this.#digit);
  }
}
