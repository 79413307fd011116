import { findUndrawable } from '../../fonts/index.js';
import { type Brush, measureRun } from '../brush.js';
import type { Letter } from '../letters.js';
import { graphemesOf } from '../lines/graphemes.js';
import type { Fragment } from '../lines/layout.js';
import { createRandom } from '../random.js';

/** Letters that replace one letter one after the other. */
const RANDOM_LETTERS = 8;
/** A letter that is wider than the one that it replaces by more than this would overlap its neighbours. */
const MAX_WIDTH = 1.12;
/** Random words of one length that are tried for joined letters. */
const TRIES = 40;

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
  [/^\p{Script=Thai}/u, 'กขคงจชซดตถทนบปพมยรลวสหอะาเ'],
  [/^\p{Script=Hiragana}/u, 'あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわん'],
  [/^\p{Script=Katakana}/u, 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン'],
  [/^\p{Script=Hangul}/u, '가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허고노도로모보소오조초'],
  [/^\p{Script=Han}/u, '一二三大小中上下日月年山水火木金土天人口手目心文字本生白高長門'],
];

/** For each letter the ones that replace it, centred in its place; none for punctuation, blanks, emoji and letters narrower than all others. Equal texts have equal replacements. */
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
  const fits = (text: string): boolean => measureRun(brush, fragment, text) <= fragment.width * MAX_WIDTH;
  const [only = []] = pools;
  if (clusters.length === 1) return shuffled(only, random).filter(fits).slice(0, RANDOM_LETTERS);
  const pick = (pool: readonly string[]) => pool[Math.floor(random() * pool.length)] as string;
  const words = new Set<string>();
  // Joined letters have no width of their own: where words of as many letters are too wide, shorter ones are tried.
  for (let length = clusters.length; length > 0 && words.size < RANDOM_LETTERS; length--) {
    const tried = Array.from({ length: TRIES }, () => shortened(clusters, pools, length, random));
    for (const indexes of tried) {
      const text = indexes.map((i) => ((pools[i]?.length ?? 0) > 0 ? pick(pools[i] as string[]) : clusters[i])).join('');
      if (words.size < RANDOM_LETTERS && fits(text)) words.add(text);
    }
  }
  return [...words];
}

/** Indexes of `length` of the clusters in order. Those that nothing replaces stay. */
function shortened(clusters: readonly string[], pools: ReadonlyArray<readonly string[]>, length: number, random: () => number): number[] {
  const dropped = new Set(
    shuffled([...clusters.keys()], random)
      .filter((i) => (pools[i]?.length ?? 0) > 0)
      .slice(0, clusters.length - length),
  );
  return [...clusters.keys()].filter((i) => !dropped.has(i));
}

/** The other letters of the same kind that the font has. */
function lettersLike(cluster: string, { face = 0 }: Fragment, brush: Brush): string[] {
  const letters = alphabets.find(([kind]) => kind.test(cluster))?.[1];
  if (letters === undefined) return [];
  const missing = new Set(findUndrawable(letters, brush.faces?.[face] ?? brush.font, brush.lang));
  return [...letters].filter((letter) => letter !== cluster && !missing.has(letter));
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
