import type { SKRSContext2D } from '@napi-rs/canvas';
import { createCanvas } from '../canvas/skia.js';
import type { Brush } from './brush.js';
import { prepareContext, prepareRun } from './brush.js';
import { graphemesOf } from './lines/graphemes.js';
import type { Fragment } from './lines/layout.js';
import { sizeOf } from './spans.js';

/** A unit of motion: a letter, or letters that the font joins, with the blanks after it. */
export type Letter = Fragment[];

interface Part {
  text: string;
  /** Offset from the left edge of the run. */
  x: number;
  width: number;
}

/** Scripts whose letters change their shape with their neighbours, and overridden directions: they move word by word. */
const movesByWord = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Tibetan}\u202d\u202e]/u;

/** Font size of test drawings. */
const probeSize = 48;
const probeMargin = probeSize;
const maxProbeWidth = 8192;
/** Drawings differ if the alpha of more than `maxDifferentPixels` differs by more than this; smaller differences are rounding. */
const minAlphaDifference = 128;
const maxDifferentPixels = 3;

/** Splits the runs of words into letters that look the same when drawn one by one. */
export function splitLetters(words: ReadonlyArray<readonly Fragment[]>, brush: Brush): Letter[] {
  const splitter = new Splitter(brush);
  return words.flatMap((fragments) => {
    const letters: Letter[] = [];
    for (const fragment of fragments) {
      const last = letters.at(-1);
      if (!fragment.blank) letters.push(...splitter.split(fragment).map((part) => [part]));
      // Blanks only show decoration lines.
      else if (last !== undefined && last[0]?.line === fragment.line) last.push(fragment);
      else letters.push([fragment]);
    }
    return letters;
  });
}

/** Direction and face of a run. */
type Look = Pick<Fragment, 'rightToLeft' | 'face'>;

const lookKey = ({ rightToLeft, face = 0 }: Look): string => `${rightToLeft ? '<' : '>'}${face} `;

class Splitter {
  readonly #brush: Brush;
  readonly #context: SKRSContext2D;
  readonly #partsByText = new Map<string, Part[]>();
  readonly #pairs = new Map<string, boolean>();

  constructor(brush: Brush) {
    this.#brush = brush;
    this.#context = createCanvas(1, 1).getContext('2d');
    prepareContext(this.#context, brush);
  }

  split(fragment: Fragment): Fragment[] {
    const parts = this.#partsOf(fragment.text, fragment);
    const rightmost = fragment.rightToLeft ? 0 : parts.length - 1;
    return parts.map(({ text, x, width }, i) => ({
      ...fragment,
      text,
      x: fragment.x + x,
      // The last part keeps the width that layout trimmed from the run's end.
      width: i === rightmost ? fragment.width - x : width,
      leftmost: fragment.leftmost && x <= 0,
      rightmost: fragment.rightmost && i === rightmost,
    }));
  }

  #partsOf(text: string, look: Look): Part[] {
    const key = lookKey(look) + text;
    let parts = this.#partsByText.get(key);
    if (parts === undefined) {
      parts = this.#findParts(text, look);
      this.#partsByText.set(key, parts);
    }
    return parts;
  }

  #findParts(text: string, look: Look): Part[] {
    const whole = [{ text, x: 0, width: this.#measure(text, look) }];
    const clusters = [...graphemesOf(text, this.#brush.lang)].map(({ segment }) => segment);
    if (clusters.length < 2 || movesByWord.test(text)) return whole;
    const single = this.#place(clusters, look);
    if (this.#looksLike(text, single, look)) return single;
    const grouped = this.#place(this.#joinPairs(clusters, look), look);
    return this.#looksLike(text, grouped, look) ? grouped : whole;
  }

  /** Positions of the parts of a run, including kerning between neighbours. */
  #place(texts: readonly string[], look: Look): Part[] {
    const total = this.#measure(texts.join(''), look);
    let before = '';
    return texts.map((text) => {
      before += text;
      const reached = this.#measure(before, look);
      const width = this.#measure(text, look);
      return { text, width, x: look.rightToLeft ? total - reached : reached - width };
    });
  }

  /** Groups neighbours that look different together: ligatures and contextual forms. */
  #joinPairs(clusters: readonly string[], look: Look): string[] {
    const groups: string[] = [];
    for (const [i, cluster] of clusters.entries()) {
      const before = clusters[i - 1];
      if (before !== undefined && this.#isPair(before, cluster, look)) groups.push((groups.pop() ?? '') + cluster);
      else groups.push(cluster);
    }
    return groups;
  }

  #isPair(before: string, after: string, look: Look): boolean {
    const key = `${lookKey(look)}${before}\n${after}`;
    let joins = this.#pairs.get(key);
    if (joins === undefined) {
      joins = !this.#looksLike(before + after, this.#place([before, after], look), look);
      this.#pairs.set(key, joins);
    }
    return joins;
  }

  #measure(text: string, look: Look): number {
    prepareRun(this.#context, this.#brush, look);
    return this.#context.measureText(text).width;
  }

  #looksLike(text: string, parts: readonly Part[], look: Look): boolean {
    const width = this.#measure(text, look);
    const a = this.#draw([{ text, x: 0 }], width, look);
    const b = this.#draw(parts, width, look);
    let other = 0;
    for (let i = 3; i < a.length; i += 4) if (Math.abs((a[i] ?? 0) - (b[i] ?? 0)) > minAlphaDifference) other++;
    return other <= maxDifferentPixels;
  }

  #draw(parts: ReadonlyArray<{ text: string; x: number }>, width: number, look: Look): Buffer {
    const scale = Math.min(probeSize / sizeOf(this.#brush, look.face), (maxProbeWidth - 2 * probeMargin) / Math.max(width, 1));
    const canvas = createCanvas(Math.ceil(width * scale) + 2 * probeMargin, probeSize * 3);
    const context = canvas.getContext('2d');
    prepareContext(context, this.#brush);
    prepareRun(context, this.#brush, look);
    context.translate(probeMargin, probeSize * 2);
    context.scale(scale, scale);
    for (const { text, x } of parts) context.fillText(text, x, 0);
    return canvas.data();
  }
}
