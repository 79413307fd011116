import { parseSsml, type SpokenPart } from './ssml.js';

/** A sentence and the pause after it. */
export interface Sentence {
  text: string;
  pauseSeconds: number;
  /** Whether SSML requests the pause; such a pause is preserved at the end of the text. */
  isExplicitPause?: true;
}

const SENTENCE_PAUSE = 0.38;
const PARAGRAPH_PAUSE = 0.65;
const CLAUSE_PAUSE = 0.15;
/** Engines get slow and monotonous with longer texts. */
const MAX_LETTERS = 380;
const abbreviation = /(?:^|[\s("'])(?:dr|mr|mrs|ms|st|prof|jr|sr|vs|etc|inc|ltd|co|corp|no|vol|fig|approx|e\.g|i\.e|z\.b|d\.h|bzw|ca|nr|sog|sra?|[a-z])\.$/i;

/** Splits a text into sentences with pauses: explicit ones from SSML and natural ones. */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const part of parseSsml(text)) {
    const last = sentences.at(-1);
    if ('text' in part) sentences.push(...sentencesOf(part));
    else if (last === undefined) sentences.push({ text: '', pauseSeconds: part.pauseSeconds, isExplicitPause: true });
    else {
      // An explicit pause replaces the natural one; several add up.
      last.pauseSeconds = part.pauseSeconds + (last.isExplicitPause ? last.pauseSeconds : 0);
      last.isExplicitPause = true;
    }
  }
  return sentences;
}

function sentencesOf({ text }: Extract<SpokenPart, { text: string }>): Sentence[] {
  return text
    .split(/\n\s*\n|\r\n\s*\r\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
    .flatMap((paragraph) => {
      const spoken = splitAtSentenceEnds(paragraph).flatMap(splitLong);
      const last = spoken.at(-1);
      if (last !== undefined) last.pauseSeconds = PARAGRAPH_PAUSE;
      return spoken;
    });
}

function splitAtSentenceEnds(paragraph: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const match of paragraph.matchAll(/(?:[.!?…]+["'”’»)\]]*(?=\s)|[。！？]+[」』”’）]*)/gu)) {
    const end = match.index + match[0].length;
    const sentence = paragraph.slice(start, end);
    const goesOn = match[0].startsWith('.') && (abbreviation.test(sentence) || /^\s+\p{Ll}/u.test(paragraph.slice(end, end + 4)));
    if (goesOn) continue;
    sentences.push(sentence.trim());
    start = end;
  }
  const rest = paragraph.slice(start).trim();
  return rest === '' ? sentences : [...sentences, rest];
}

/** Splits at the last comma that fits, else at the last space. */
function splitLong(sentence: string): Sentence[] {
  const pieces: Sentence[] = [];
  let rest = sentence;
  while (rest.length > MAX_LETTERS) {
    const head = rest.slice(0, MAX_LETTERS);
    const comma = Math.max(...[', ', '; ', ': ', '，', '、', ' – '].map((mark) => head.lastIndexOf(mark)));
    const space = head.lastIndexOf(' ');
    const at = comma > MAX_LETTERS / 3 ? comma + 1 : space > 0 ? space : wholeCharacters(head);
    pieces.push({ text: rest.slice(0, at).trim(), pauseSeconds: comma > MAX_LETTERS / 3 ? CLAUSE_PAUSE : 0 });
    rest = rest.slice(at).trim();
  }
  return [...pieces, { text: rest, pauseSeconds: SENTENCE_PAUSE }];
}

/** Never splits a surrogate pair. */
function wholeCharacters(head: string): number {
  return /[\ud800-\udbff]$/.test(head) ? head.length - 1 : head.length;
}
