export { createRecogniser } from './recogniser.js';
export { describeRecogniser } from './recogniser-status.js';
export type { Recogniser, RecognitionRequest } from './recognition.js';
export { RecognitionError } from './recognition.js';
export type { SpokenWord } from './spoken-word.js';
