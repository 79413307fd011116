import type { TimedCue, TimedWord } from './word-timing.js';

interface Wording {
  /** Replacement texts by the word or phrase they replace. */
  replace: Readonly<Record<string, string>>;
  allCaps: boolean;
  lang: string;
}

/** A word and the punctuation around it, which replacements keep. */
const edges = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/su;

/** Applies case-insensitive replacements of words and phrases, then capitals. */
export function applyWording(cue: TimedCue, wording: Wording): TimedCue {
  const rules = rulesOf(wording.replace);
  const replaced = rules.length === 0 ? cue.words : replaceWords(cue.words, rules);
  const words = wording.allCaps ? replaced.map((word) => ({ ...word, text: upperCase(word.text, wording.lang) })) : replaced;
  return { ...cue, words };
}

function upperCase(text: string, lang: string): string {
  try {
    return text.toLocaleUpperCase(lang);
  } catch {
    return text.toUpperCase();
  }
}

interface Rule {
  words: string[];
  by: string[];
}

/** Replacement rules, longest phrases first. */
function rulesOf(replace: Wording['replace']): Rule[] {
  return Object.entries(replace)
    .map(([from, by]) => ({ words: from.trim().split(/\s+/).map(keyOf), by: by.trim().split(/\s+/).filter(Boolean) }))
    .filter(({ words }) => words.length > 0 && words.every((word) => word !== ''))
    .sort((a, b) => b.words.length - a.words.length);
}

function keyOf(word: string): string {
  const bare = edges.exec(word)?.[2] ?? '';
  return (bare === '' ? word : bare).toLowerCase().normalize('NFC');
}

function replaceWords(words: readonly TimedWord[], rules: readonly Rule[]): TimedWord[] {
  const keys = words.map(({ text }) => keyOf(text));
  const byFirst = new Map<string, Rule[]>();
  for (const rule of rules) byFirst.set(rule.words[0] ?? '', [...(byFirst.get(rule.words[0] ?? '') ?? []), rule]);
  const out: TimedWord[] = [];
  for (let at = 0; at < words.length; ) {
    const rule = byFirst.get(keys[at] ?? '')?.find((one) => one.words.every((word, i) => keys[at + i] === word));
    const matched = words.slice(at, at + (rule?.words.length ?? 1));
    out.push(...(rule ? substitute(matched, rule.by) : matched));
    at += matched.length;
  }
  return out;
}

/** The replacement words divide the time of the matched words. */
function substitute(matched: readonly TimedWord[], by: readonly string[]): TimedWord[] {
  const [first] = matched;
  const last = matched.at(-1);
  if (!first || !last || by.length === 0) return [];
  const before = edges.exec(first.text)?.[1] ?? '';
  const after = edges.exec(last.text)?.[3] ?? '';
  const step = (last.end - first.start) / by.length;
  return by.map((word, i) => ({
    ...first,
    text: `${i === 0 ? before : ''}${word}${i === by.length - 1 ? after : ''}`,
    start: first.start + i * step,
    end: first.start + (i + 1) * step,
    glued: i === 0 && first.glued,
    breakBefore: i === 0 && first.breakBefore,
  }));
}
