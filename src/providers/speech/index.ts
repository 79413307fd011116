export { parseWav } from './audio/wav.js';
export type { ListedEngine, ListedVoices } from './list-voices.js';
export type { Speech, SpeechRequest, SpokenWord } from './speech.js';
export type { SpeechSynthesizer } from './speech-synthesizer.js';
export { createSpeechSynthesizer } from './speech-synthesizer.js';
