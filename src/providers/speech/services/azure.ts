import { randomUUID } from 'node:crypto';
import type { Outbound, WebSocketSession } from '../../../outbound/index.js';
import { durationOf } from '../audio/edit-audio.js';
import { parsePcm16 } from '../audio/wav.js';
import type { ProviderRequest, RawSpeech, TimedText, VoiceProvider } from '../speech.js';
import { escapeAroundTags, escapeXml, plainText } from '../text/ssml.js';
import { alignWords } from '../words/align-words.js';
import { splitWords } from '../words/split-words.js';
import { readBoundaries, readMessage, writeMessage } from './azure-messages.js';
import { callService, ServiceError } from './service-error.js';

const SAMPLE_RATE = 48_000;
const OUTPUT_FORMAT = 'raw-48khz-16bit-mono-pcm';
/** Path of the WebSocket interface, which reports word times; the REST interface does not. */
const SOCKET_PATH = '/tts/cognitiveservices/websocket/v1';
const IDLE_MS = 30_000;
/** Ten minutes of audio, the service's own limit. */
const MAX_BYTES = 62_000_000;

interface AzureSettings {
  key: string;
  url: string;
}

export function createAzure({ key, url }: AzureSettings, outbound: Outbound): VoiceProvider {
  return {
    name: 'azure',
    version: OUTPUT_FORMAT,
    synthesize: (request, { signal }) =>
      callService('azure', signal, async () => {
        const headers = { 'Ocp-Apim-Subscription-Key': key, 'X-ConnectionId': randomUUID().replaceAll('-', '') };
        const options = { headers, idleMs: IDLE_MS, maxBytes: MAX_BYTES, signal };
        const { audio, boundaries } = await outbound.withWebSocket(socketUrl(url), options, (socket) => exchange(socket, ssmlOf(request)));
        return rawSpeech(request, audio, boundaries);
      }),
  };
}

/** Accepts the address of the resource or of the WebSocket itself. */
export function socketUrl(endpoint: string): string {
  const url = new URL(endpoint);
  url.protocol = url.protocol === 'http:' || url.protocol === 'ws:' ? 'ws:' : 'wss:';
  if (url.pathname === '/' || url.pathname === '') url.pathname = SOCKET_PATH;
  return url.href;
}

interface Answer {
  audio: Buffer;
  boundaries: TimedText[];
}

async function exchange(socket: WebSocketSession, ssml: string): Promise<Answer> {
  const id = randomUUID().replaceAll('-', '');
  const client = {
    context: { system: { name: 'Framewright', version: '1', build: 'Node', lang: 'JavaScript' }, os: { platform: process.platform, name: 'Node' } },
  };
  const context = {
    synthesis: {
      audio: {
        metadataOptions: {
          bookmarkEnabled: false,
          punctuationBoundaryEnabled: false,
          sentenceBoundaryEnabled: false,
          sessionEndEnabled: true,
          visemeEnabled: false,
          wordBoundaryEnabled: true,
        },
        outputFormat: OUTPUT_FORMAT,
      },
      language: { autoDetection: false },
    },
  };
  socket.send(writeMessage('speech.config', id, 'application/json', JSON.stringify(client)));
  socket.send(writeMessage('synthesis.context', id, 'application/json', JSON.stringify(context)));
  socket.send(writeMessage('ssml', id, 'application/ssml+xml', ssml));
  const audio: Buffer[] = [];
  const boundaries: TimedText[] = [];
  for await (const message of socket.messages) {
    const { path, body } = readMessage(message);
    if (path === 'audio') audio.push(body);
    else if (path === 'audio.metadata') boundaries.push(...readBoundaries(body));
    else if (path === 'turn.end') break;
  }
  if (audio.length === 0) throw new ServiceError('sent no sound');
  return { audio: Buffer.concat(audio), boundaries };
}

const DEFAULT_VOICES: Readonly<Record<string, string>> = { de: 'de-DE-SeraphinaMultilingualNeural', fr: 'fr-FR-VivienneMultilingualNeural' };
const MULTILINGUAL_VOICE = 'en-US-EmmaMultilingualNeural';

/** A complete SSML document is sent unchanged; in other texts the supported tags are preserved. */
export function ssmlOf({ text, voice, language, speed }: Pick<ProviderRequest, 'text' | 'voice' | 'language' | 'speed'>): string {
  if (/^\s*(<\?xml[^>]*>\s*)?<speak[\s>]/.test(text)) return text;
  const name = escapeXml(voice ?? DEFAULT_VOICES[language.split('-')[0] ?? ''] ?? MULTILINGUAL_VOICE);
  const rated =
    speed === 1 ? escapeAroundTags(text) : `<prosody rate='${speed > 1 ? '+' : ''}${Math.round((speed - 1) * 100)}%'>${escapeAroundTags(text)}</prosody>`;
  const spoken = /multilingual/i.test(name) ? `<lang xml:lang='${escapeXml(language)}'>${rated}</lang>` : rated;
  return `<speak version='1.0' xmlns='http://www.w3.org/2001/10/synthesis' xmlns:mstts='http://www.w3.org/2001/mstts' xml:lang='${escapeXml(language)}'><voice name="${name}">${spoken}</voice></speak>`;
}

function rawSpeech(request: ProviderRequest, audio: Buffer, boundaries: readonly TimedText[]): RawSpeech {
  const sound = parsePcm16(audio, SAMPLE_RATE);
  const words = alignWords(splitWords(plainText(request.text), request.language.split('-')[0] ?? 'en'), boundaries, durationOf(sound));
  return { audio: sound, words, isEstimated: boundaries.length === 0, warnings: [] };
}
