import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { SpeechServiceConfig } from '../../config/index.js';
import { createOutbound, failureText, type OutboundSettings } from '../../outbound/index.js';
import { multipart } from './multipart.js';
import { RecognitionError, type Transcribe, type TranscribeRequest } from './recognition.js';
import { parseTranscription } from './transcription.js';

/** The interface's limit of an upload. */
const MAX_BYTES = 25_000_000;
const MAX_ANSWER_BYTES = 50_000_000;
const IDLE_MS = 300_000;

/** Transcriber for services with OpenAI's /audio/transcriptions. */
export function createServiceTranscriber(config: SpeechServiceConfig, outbound: OutboundSettings): Transcribe {
  const door = createOutbound({ ...outbound, allowPrivateHosts: [...outbound.allowPrivateHosts, config.host] });
  return async (request, signal) => {
    const path = await chooseUpload(request);
    const bytes = await readFile(path);
    const form = multipart({
      fields: [
        ['model', config.model],
        ['response_format', 'verbose_json'],
        ['timestamp_granularities[]', 'word'],
        ['timestamp_granularities[]', 'segment'],
        ...(request.language === undefined ? [] : [['language', request.language.split('-')[0] ?? ''] as const]),
        ...(request.keywords.length === 0 ? [] : [['prompt', request.keywords.join(', ').slice(0, 1000)] as const]),
      ],
      file: { field: 'file', name: fileName(path, bytes), bytes },
    });
    try {
      const answer = await door.send(`${config.url}/audio/transcriptions`, {
        method: 'POST',
        headers: { 'content-type': form.contentType, ...(config.key === undefined ? {} : { authorization: `Bearer ${config.key}` }) },
        body: form.body,
        idleMs: IDLE_MS,
        maxResponseBytes: MAX_ANSWER_BYTES,
        signal,
      });
      if (answer.status !== 200) throw new RecognitionError(`was not recognised: the service answered ${answer.status}`);
      await request.onBought?.();
      const words = parseTranscription(answer.text);
      if (words === undefined) throw new RecognitionError('was not recognised: the service answered without times of words');
      return words;
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof RecognitionError ? undefined : failureText(error);
      if (reason !== undefined) throw new RecognitionError(`was not recognised: the service ${reason}`);
      throw error;
    }
  };
}

/** Uploads the smaller file: a video is larger than its extracted WAV, compressed audio is smaller. */
async function chooseUpload({ path, audioPath: soundPath }: TranscribeRequest): Promise<string> {
  const [asItIs, sound] = await Promise.all([stat(path), stat(soundPath)]);
  const isSound = sound.size <= asItIs.size;
  const size = isSound ? sound.size : asItIs.size;
  if (size > MAX_BYTES) throw new RecognitionError(`was not recognised: its audio has more than ${MAX_BYTES / 1e6} MB`);
  return isSound ? soundPath : path;
}

/** Services read the type from the file extension; cached media have none. */
function fileName(path: string, bytes: Buffer): string {
  const text = bytes.toString('latin1', 0, 16);
  const kinds: Array<[string, boolean]> = [
    ['wav', text.startsWith('RIFF')],
    ['flac', text.startsWith('fLaC')],
    ['ogg', text.startsWith('OggS')],
    ['mp4', text.slice(4, 8) === 'ftyp'],
    ['webm', text.startsWith('\x1aE\xdf\xa3')],
  ];
  const stem = basename(path)
    .replace(/\.wav$/, '')
    .slice(0, 40);
  return `${stem}.${kinds.find(([, is]) => is)?.[0] ?? 'mp3'}`;
}
