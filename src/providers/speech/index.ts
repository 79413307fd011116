export type { ListedEngine, ListedVoice, ListedVoices } from './list-voices.js';
export { voiceModels } from './models.js';
export type { Speaker } from './speaker.js';
export { createSpeaker } from './speaker.js';
export type { Speech, SpeechRequest, SpokenWord } from './speech.js';
