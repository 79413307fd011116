export { createRecogniser } from './recogniser.js';
export type { RecogniserFacts } from './recogniser-facts.js';
export { describeRecogniser } from './recogniser-facts.js';
export type { Recogniser, RecognitionRequest } from './recognition.js';
export { RecognitionFailure } from './recognition.js';
export type { SpokenWord } from './spoken-word.js';
