import { writeFile } from 'node:fs/promises';
import type { GenerationServiceConfig } from '../../../config/index.js';
import type { Outbound } from '../../../outbound/index.js';
import type { GenerationProvider, ProviderRequest } from '../request.js';
import { fetchFile } from './fetch-file.js';
import { errorForStatus, parseJson, retryTransient, ServiceError, toAppError } from './service-error.js';

/** Most services take about a minute for an image. */
const TIMEOUT_MS = 300_000;
const MAX_BYTES = 64 * 1_048_576;
/** Base64 has four characters for three bytes. */
const MAX_ANSWER_BYTES = Math.ceil((MAX_BYTES * 4) / 3) + 65_536;

/** Provider for OpenAI's /images/generations and compatible services. */
export function createImageProvider(service: GenerationServiceConfig, outbound: Outbound): GenerationProvider {
  return {
    version: `image ${service.url}`,
    async generate(request, path, signal) {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      try {
        await save(await retryTransient(limited, () => requestImage(request, service, outbound, limited)), path, limited, outbound);
      } catch (error) {
        signal.throwIfAborted();
        throw toAppError('image', service, limited.aborted ? new ServiceError(`has made nothing in ${TIMEOUT_MS / 1000} s`) : error);
      }
    },
  };
}

type GeneratedImage = { bytes: Buffer } | { url: string };

/** Sends no response_format: newer models refuse it, and both forms are read. */
async function requestImage(
  { prompt, model, size, settings }: ProviderRequest,
  service: GenerationServiceConfig,
  outbound: Outbound,
  signal: AbortSignal,
): Promise<GeneratedImage> {
  const answer = await outbound.send(`${service.url}/images/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(service.key === undefined ? {} : { authorization: `Bearer ${service.key}` }) },
    body: JSON.stringify({ ...settings, model, prompt, size, n: 1 }),
    idleMs: TIMEOUT_MS,
    maxResponseBytes: MAX_ANSWER_BYTES,
    signal,
  });
  if (answer.status < 200 || answer.status > 299) throw errorForStatus(answer, service);
  const { data } = (parseJson(answer.text) ?? {}) as { data?: Array<{ b64_json?: unknown; url?: unknown }> };
  const made = Array.isArray(data) ? data[0] : undefined;
  if (typeof made?.b64_json === 'string' && made.b64_json !== '') return { bytes: Buffer.from(made.b64_json, 'base64') };
  if (typeof made?.url !== 'string') throw new ServiceError('answered without an image');
  const [, inline] = /^data:[\w/+.-]+;base64,(.+)$/s.exec(made.url) ?? [];
  return inline === undefined ? { url: made.url } : { bytes: Buffer.from(inline, 'base64') };
}

/** Downloads without the API key: the image is often on another host. */
async function save(made: GeneratedImage, path: string, signal: AbortSignal, outbound: Outbound): Promise<void> {
  if ('url' in made) return fetchFile(made.url, path, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal }, outbound);
  if (made.bytes.length === 0 || made.bytes.length > MAX_BYTES) throw new ServiceError(`answered with an image of ${made.bytes.length} bytes`);
  await writeFile(path, made.bytes);
}
