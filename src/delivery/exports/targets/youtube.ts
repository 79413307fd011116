import { createReadStream } from 'node:fs';
import type { Answer } from '../../../outbound/index.js';
import type { DeliveryContext } from '../delivery.js';
import { ExportFailure, permanent, transient } from '../export-failure.js';
import type { YoutubeTarget } from '../target.js';

/** A multiple of 256 KiB, as the protocol wants. */
const CHUNK_BYTES = 8 * 1024 * 1024;
/** How often one upload is picked up again where it broke off. */
const MAX_RESUMES = 5;
const RESUME_DELAY_MS = 1_000;

/** Google's resumable upload: https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol */
export async function deliverYoutube(target: YoutubeTarget, delivery: DeliveryContext): Promise<string> {
  const token = await accessToken(target, delivery);
  const session = await openSession(target, token, delivery);
  const answer = await uploadAll(session, token, delivery);
  return `https://www.youtube.com/watch?v=${videoId(answer)}`;
}

async function accessToken({ access }: YoutubeTarget, { options: parts, idleMs, signal }: DeliveryContext): Promise<string> {
  if ('accessToken' in access) return access.accessToken;
  const { refreshToken, clientId, clientSecret } = access;
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId, client_secret: clientSecret });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await parts.outbound.send(parts.youtube.tokenUrl, { method: 'POST', headers, body: body.toString(), idleMs, signal });
  const token = jsonOf(answer).access_token;
  if (answer.status === 200 && typeof token === 'string') return token;
  throw answer.status >= 500 ? transient(`answered ${answer.status} when asked for access`) : permanent('refused the refresh token or its client');
}

/** Tells YouTube what is to come; the answer is where to send it. */
async function openSession(target: YoutubeTarget, token: string, { file, options: parts, idleMs, signal }: DeliveryContext): Promise<string> {
  const query = new URLSearchParams({ uploadType: 'resumable', part: 'snippet,status', notifySubscribers: String(target.notifySubscribers) });
  const answer = await parts.outbound.send(`${parts.youtube.apiUrl}/upload/youtube/v3/videos?${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json; charset=UTF-8',
      'x-upload-content-length': String(file.sizeBytes),
      'x-upload-content-type': 'video/mp4',
    },
    body: JSON.stringify({
      snippet: { title: target.title, description: target.description, tags: target.tags, categoryId: target.categoryId },
      status: { privacyStatus: target.privacyStatus, selfDeclaredMadeForKids: target.madeForKids },
    }),
    idleMs,
    signal,
  });
  const session = answer.headers.location;
  if (answer.status === 200 && session !== undefined && URL.canParse(session)) return session;
  throw refusal(answer);
}

async function uploadAll(session: string, token: string, delivery: DeliveryContext): Promise<Answer> {
  const { sizeBytes } = delivery.file;
  let sent = 0;
  for (let resumes = 0; ; resumes += 1) {
    const answer = await unlessBroken(resumes, () => sendFrom(sent, session, token, delivery));
    if (answer !== undefined && answer.status < 300) return answer;
    if (answer !== undefined && answer.status < 500) throw refusal(answer);
    if (resumes >= MAX_RESUMES) throw answer === undefined ? transient('broke off the upload again and again') : refusal(answer);
    await delivery.options.clock.sleep(RESUME_DELAY_MS, delivery.signal);
    delivery.signal.throwIfAborted();
    const state = await ask(session, token, Buffer.alloc(0), `bytes */${sizeBytes}`, delivery);
    if (state.status < 300) return state;
    if (state.status !== 308) throw refusal(state);
    sent = receivedBytes(state);
  }
}

/** Sends chunk after chunk until YouTube answers something else than that it wants more. */
async function sendFrom(start: number, session: string, token: string, delivery: DeliveryContext): Promise<Answer> {
  const { path, sizeBytes } = delivery.file;
  let sent = start;
  for (;;) {
    const end = Math.min(sent + CHUNK_BYTES, sizeBytes);
    const chunk = await readChunk(path, sent, end);
    const answer = await ask(session, token, chunk, `bytes ${sent}-${end - 1}/${sizeBytes}`, delivery);
    if (answer.status !== 308) return answer;
    const received = receivedBytes(answer);
    if (received <= sent) throw transient('takes no more of the file');
    sent = received;
  }
}

function ask(session: string, token: string, body: Buffer, range: string, { options: parts, idleMs, signal }: DeliveryContext): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'video/mp4', 'content-range': range };
  return parts.outbound.send(session, { method: 'PUT', headers, body, idleMs, signal });
}

/** `Range: bytes=0-1048575` of a 308: what lies there already; without it nothing does. */
function receivedBytes({ headers }: Answer): number {
  const last = /^bytes=0-(\d+)$/.exec(headers.range ?? '')?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}

/** The answer, or undefined when the connection broke and there are resumes left. */
async function unlessBroken(resumes: number, send: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof ExportFailure || resumes >= MAX_RESUMES) throw error;
    return undefined;
  }
}

async function readChunk(path: string, start: number, end: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  if (end > start) for await (const piece of createReadStream(path, { start, end: end - 1 }) as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

function videoId(answer: Answer): string {
  const { id } = jsonOf(answer);
  if (typeof id === 'string' && /^[\w-]{1,64}$/.test(id)) return id;
  throw transient('took the file but named no video');
}

interface YoutubeBody {
  access_token?: unknown;
  id?: unknown;
  error?: { errors?: Array<{ reason?: unknown }> };
}

function jsonOf({ text }: Answer): YoutubeBody {
  try {
    return (JSON.parse(text) ?? {}) as YoutubeBody;
  } catch {
    return {};
  }
}

function refusal(answer: Answer): ExportFailure {
  const reason = jsonOf(answer).error?.errors?.[0]?.reason;
  const why = typeof reason === 'string' && /^\w{1,60}$/.test(reason) ? ` ${reason}` : '';
  return new ExportFailure(`answered ${answer.status}${why}`, answer.status >= 500 || answer.status === 429 || answer.status === 408);
}
