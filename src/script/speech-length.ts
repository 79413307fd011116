import type { Element, VoiceElement } from './movie.js';

/** Speaking rate: letters of alphabetic scripts, and characters of syllabic or logographic scripts. */
const LETTERS_PER_SECOND = 14;
const SYLLABLES_PER_SECOND = 4.5;
const MIN_SECONDS = 0.5;

/** The schema's default of a voice element's `model`. */
export const DEFAULT_VOICE_MODEL = 'azure';
/** The model that disables a voice element. */
export const SILENT_MODEL = 'none';

/** Whether the element is a voice that is not disabled. */
export function isSpoken(element: Element): element is VoiceElement {
  return element.type === 'voice' && element.model !== SILENT_MODEL;
}

/** Everything that determines the audio of a voice element. */
export interface SpeechRequest {
  text: string;
  model: string;
  voice?: string | undefined;
  language?: string | undefined;
  speed: number;
}

/** Replaces `<br>` by line breaks: the same text is often used for a text element, where `<br>` is a line break. */
export function parseSpokenText(text: string): string {
  return text.replaceAll(/<br\s*\/?>/gi, '\n');
}

/** Key of a voice element's audio, used where other media are looked up by URL. */
export function speechKey({ text, model, voice = '', language = '', speed }: SpeechRequest): string {
  return `speech:${JSON.stringify([parseSpokenText(text), model, voice, language, speed])}`;
}

/** Key of a voice element's request to a provider: equal requests are synthesized and paid once. */
export function speechRequestKey(voice: SpeechRequest & { modelSettings?: unknown }): string {
  return JSON.stringify([speechKey(voice), voice.modelSettings]);
}

const syllabic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Estimates the spoken length of a text, in seconds. */
export function estimateSpeechSeconds(text: string, speed = 1): number {
  const plain = text.replaceAll(/<[^>]{0,1000}>/g, ' ');
  const syllables = plain.match(syllabic)?.length ?? 0;
  const letters = plain.replaceAll(syllabic, '').replaceAll(/\s+/g, ' ').trim().length;
  return Math.max(MIN_SECONDS, (letters / LETTERS_PER_SECOND + syllables / SYLLABLES_PER_SECOND) / speed);
}
