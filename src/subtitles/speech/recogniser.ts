import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { SpeechToTextConfig } from '../../config/index.js';
import { createOutbound, failureText, type Outbound, type OutboundSettings } from '../../outbound/index.js';
import type { SpokenWord } from '../spoken-cues.js';
import { multipart } from './multipart.js';
import { readTranscription } from './transcription.js';

export interface RecognitionRequest {
  /** A film or sound of any kind that the service can read. */
  path: string;
  /** BCP 47; absent: the service tells it. */
  language?: string;
  /** Names and words that are to be expected. */
  keywords: readonly string[];
}

export interface Recogniser {
  /** The words with their times in the file; throws RecognitionFailure. */
  recognise(request: RecognitionRequest, signal: AbortSignal): Promise<SpokenWord[]>;
}

/** Worded to follow "the speech in it". */
export class RecognitionFailure extends Error {}

/** What the interface takes at a time. */
const MAX_BYTES = 25_000_000;
const MAX_ANSWER_BYTES = 50_000_000;
const IDLE_MS = 300_000;

/** `outbound` are the rules for addresses; the operator's own service is allowed besides. */
export function createRecogniser(config: SpeechToTextConfig, outbound: OutboundSettings): Recogniser {
  const door = createOutbound({ ...outbound, allowPrivateHosts: [...outbound.allowPrivateHosts, config.host] });
  return { recognise: (request, signal) => recognise(request, config, door, signal) };
}

async function recognise(request: RecognitionRequest, config: SpeechToTextConfig, door: Outbound, signal: AbortSignal): Promise<SpokenWord[]> {
  const { size } = await stat(request.path);
  if (size > MAX_BYTES) throw new RecognitionFailure(`was not recognised: its file has more than ${MAX_BYTES / 1e6} MB`);
  const bytes = await readFile(request.path);
  const form = multipart({
    fields: [
      ['model', config.model],
      ['response_format', 'verbose_json'],
      ['timestamp_granularities[]', 'word'],
      ['timestamp_granularities[]', 'segment'],
      ...(request.language === undefined ? [] : [['language', request.language.split('-')[0] ?? ''] as const]),
      ...(request.keywords.length === 0 ? [] : [['prompt', request.keywords.join(', ').slice(0, 1000)] as const]),
    ],
    file: { field: 'file', name: fileName(request.path, bytes), bytes },
  });
  try {
    const answer = await door.send(`${config.url}/audio/transcriptions`, {
      method: 'POST',
      headers: { 'content-type': form.contentType, ...(config.key === undefined ? {} : { authorization: `Bearer ${config.key}` }) },
      body: form.body,
      idleMs: IDLE_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      signal,
    });
    if (answer.status !== 200) throw new RecognitionFailure(`was not recognised: the service answered ${answer.status}`);
    const words = readTranscription(answer.text);
    if (words === undefined) throw new RecognitionFailure('was not recognised: the service answered without times of words');
    return words;
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof RecognitionFailure ? undefined : failureText(error);
    if (reason !== undefined) throw new RecognitionFailure(`was not recognised: the service ${reason}`);
    throw error;
  }
}

/** Services go by the name's ending; media are kept here without one. */
function fileName(path: string, bytes: Buffer): string {
  const text = bytes.toString('latin1', 0, 16);
  const kinds: Array<[string, boolean]> = [
    ['wav', text.startsWith('RIFF')],
    ['flac', text.startsWith('fLaC')],
    ['ogg', text.startsWith('OggS')],
    ['mp4', text.slice(4, 8) === 'ftyp'],
    ['webm', text.startsWith('\x1aE\xdf\xa3')],
  ];
  return `${basename(path).slice(0, 40)}.${kinds.find(([, is]) => is)?.[0] ?? 'mp3'}`;
}
