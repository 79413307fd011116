/** What a calm speaker says in a second: letters of alphabets, and characters that stand for whole syllables or words. */
const LETTERS_PER_SECOND = 14;
const SYLLABLES_PER_SECOND = 4.5;
const MIN_SECONDS = 0.5;

/** As in the schema. */
export const DEFAULT_VOICE_MODEL = 'azure';
/** The model of a voice that says nothing. */
export const SILENT_MODEL = 'none';

/** What decides how long a voice speaks. */
export interface SpeechRequest {
  text: string;
  model: string;
  voice?: string | undefined;
  language?: string | undefined;
  speed: number;
}

/** One text is often shown and said: where it has a new line on the screen it has one here, and nobody says "br". */
export function parseSpokenText(text: string): string {
  return text.replaceAll(/<br\s*\/?>/gi, '\n');
}

/** Under which name the length of a voice is known, once it has spoken. Voices have no URL. */
export function speechKey({ text, model, voice = '', language = '', speed }: SpeechRequest): string {
  return `speech:${JSON.stringify([parseSpokenText(text), model, voice, language, speed])}`;
}

const syllabic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** How long a text takes to be said, before anyone has said it. */
export function estimateSpeechSeconds(text: string, speed = 1): number {
  const plain = text.replaceAll(/<[^>]{0,1000}>/g, ' ');
  const syllables = plain.match(syllabic)?.length ?? 0;
  const letters = plain.replaceAll(syllabic, '').replaceAll(/\s+/g, ' ').trim().length;
  return Math.max(MIN_SECONDS, (letters / LETTERS_PER_SECOND + syllables / SYLLABLES_PER_SECOND) / speed);
}
