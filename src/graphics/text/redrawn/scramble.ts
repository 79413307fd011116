import { findUndrawable } from '../../fonts/index.js';
import { type Brush, measureRun } from '../brush.js';
import type { Letter } from '../letters.js';
import { graphemesOf } from '../lines/graphemes.js';
import type { Fragment } from '../lines/layout.js';
import { createRandom } from '../random.js';

/** Letters that replace one letter one after the other. */
const RANDOM_LETTERS = 8;
/** A letter that is wider than the one that it replaces by more than this would overlap its neighbours. */
const MAX_WIDTH = 1.25;
/** Random words are tried for joined letters. */
const TRIES = 24;

/** Letters that replace each other: of one script and case, without those that need a place in a word. */
const alphabets: ReadonlyArray<readonly [kind: RegExp, letters: string]> = [
  [/^\p{Nd}$/u, '0123456789'],
  [/^(?=\p{Script=Latin})\p{Lu}/u, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [/^\p{Script=Latin}/u, 'abcdefghijklmnopqrstuvwxyz'],
  [/^(?=\p{Script=Greek})\p{Lu}/u, 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ'],
  [/^\p{Script=Greek}/u, 'αβγδεζηθικλμνξοπρστυφχψω'],
  [/^(?=\p{Script=Cyrillic})\p{Lu}/u, 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ'],
  [/^\p{Script=Cyrillic}/u, 'абвгдежзиклмнопрстуфхцчшщыэюя'],
  [/^\p{Script=Hebrew}/u, 'אבגדהוזחטיכלמנסעפצקרשת'],
  [/^\p{Script=Arabic}/u, 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي'],
  [/^\p{Script=Devanagari}/u, 'कखगघचछजझटठडढतथदधनपफबभमयरलवशषसह'],
  [/^\p{Script=Thai}/u, 'กขคงจชซดตถทนบปพมยรลวสหอ'],
  [/^\p{Script=Hiragana}/u, 'あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわん'],
  [/^\p{Script=Katakana}/u, 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン'],
  [/^\p{Script=Hangul}/u, '가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허고노도로모보소오조초'],
  [/^\p{Script=Han}/u, '一二三大小中上下日月年山水火木金土天人口手目心文字本生白高長門'],
];

/** For each letter the ones that replace it, centred in its place; none for punctuation, blanks and emoji. Equal texts have equal replacements. */
export function scrambledLetters(letters: readonly Letter[], brush: Brush): Letter[][] {
  const random = createRandom(letters.map((letter) => letter.map(({ text }) => text).join('')).join(' '));
  return letters.map((letter) => {
    const runs = letter.map((fragment) => (fragment.blank ? [] : replacements(fragment, brush, random)));
    const count = Math.max(...runs.map((texts) => texts.length));
    return Array.from({ length: count }, (_, step) => letter.map((fragment, i) => replaced(fragment, runs[i]?.[step], brush)));
  });
}

function replaced(fragment: Fragment, text: string | undefined, brush: Brush): Fragment {
  return text === undefined ? fragment : { ...fragment, text, indent: (fragment.width - measureRun(brush, fragment, text)) / 2 };
}

function replacements(fragment: Fragment, brush: Brush, random: () => number): string[] {
  const clusters = [...graphemesOf(fragment.text, brush.lang)].map(({ segment }) => segment);
  const pools = clusters.map((cluster) => lettersLike(cluster, fragment, brush));
  if (pools.every((pool) => pool.length === 0)) return [];
  const pick = (pool: readonly string[]) => pool[Math.floor(random() * pool.length)] as string;
  const [only = []] = pools;
  const candidates =
    clusters.length === 1
      ? shuffled(only, random)
      : Array.from({ length: TRIES }, () => pools.map((pool, i) => (pool.length > 0 ? pick(pool) : clusters[i])).join(''));
  const widths = new Map(candidates.map((text) => [text, measureRun(brush, fragment, text)]));
  const fitting = candidates.filter((text) => (widths.get(text) ?? 0) <= fragment.width * MAX_WIDTH);
  if (fitting.length >= RANDOM_LETTERS) return fitting.slice(0, RANDOM_LETTERS);
  return candidates.sort((a, b) => (widths.get(a) ?? 0) - (widths.get(b) ?? 0)).slice(0, RANDOM_LETTERS);
}

/** The other letters of the same kind that the font has. */
function lettersLike(cluster: string, { face = 0 }: Fragment, brush: Brush): string[] {
  const letters = alphabets.find(([kind]) => kind.test(cluster))?.[1];
  if (letters === undefined) return [];
  const missing = new Set(findUndrawable(letters, brush.faces?.[face] ?? brush.font, brush.lang));
  return [...letters].filter((letter) => letter !== cluster && !missing.has(letter));
}

function shuffled(list: readonly string[], random: () => number): string[] {
  return list
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
