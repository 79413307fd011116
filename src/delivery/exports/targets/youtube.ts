import { createReadStream } from 'node:fs';
import type { OutboundResponse } from '../../../outbound/index.js';
import type { DeliveryContext } from '../delivery.js';
import { ExportFailure, permanent, transient } from '../export-failure.js';
import type { YoutubeTarget } from '../target.js';

/** A multiple of 256 KiB, as the protocol requires. */
const CHUNK_BYTES = 8 * 1024 * 1024;
/** Maximum number of times that a broken upload is resumed. */
const MAX_RESUMES = 5;
const RESUME_DELAY_MS = 1_000;

/** Uploads a video with Google's resumable upload protocol and returns its URL. See https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol. */
export async function deliverYoutube(target: YoutubeTarget, delivery: DeliveryContext): Promise<string> {
  if (!delivery.file.mimeType.startsWith('video/')) throw permanent(`takes videos only, and the output is a file of type ${delivery.file.mimeType}`);
  const token = await accessToken(target, delivery);
  const session = await openSession(target, token, delivery);
  const answer = await uploadAll(session, token, delivery);
  return `https://www.youtube.com/watch?v=${videoId(answer)}`;
}

async function accessToken({ access }: YoutubeTarget, { options, idleMs, signal }: DeliveryContext): Promise<string> {
  if ('accessToken' in access) return access.accessToken;
  const { refreshToken, clientId, clientSecret } = access;
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId, client_secret: clientSecret });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await options.outbound.send(options.youtube.tokenUrl, { method: 'POST', headers, body: body.toString(), idleMs, signal });
  const token = parseBody(answer).access_token;
  if (answer.status === 200 && typeof token === 'string') return token;
  throw answer.status >= 500 ? transient(`answered ${answer.status} to the access token request`) : permanent('rejected the refresh token or its client');
}

/** Opens an upload session; returns its URL. */
async function openSession(target: YoutubeTarget, token: string, { file, options, idleMs, signal }: DeliveryContext): Promise<string> {
  const query = new URLSearchParams({ uploadType: 'resumable', part: 'snippet,status', notifySubscribers: String(target.notifySubscribers) });
  const answer = await options.outbound.send(`${options.youtube.apiUrl}/upload/youtube/v3/videos?${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json; charset=UTF-8',
      'x-upload-content-length': String(file.sizeBytes),
      'x-upload-content-type': file.mimeType,
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
  throw toRefusal(answer);
}

async function uploadAll(session: string, token: string, delivery: DeliveryContext): Promise<OutboundResponse> {
  const { sizeBytes } = delivery.file;
  let sent = 0;
  for (let resumes = 0; ; resumes += 1) {
    const answer = await unlessBroken(resumes, () => sendFrom(sent, session, token, delivery));
    if (answer !== undefined && answer.status < 300) return answer;
    if (answer !== undefined && answer.status < 500) throw toRefusal(answer);
    if (resumes >= MAX_RESUMES) throw answer === undefined ? transient('closed the connection repeatedly during the upload') : toRefusal(answer);
    await delivery.options.clock.sleep(RESUME_DELAY_MS, delivery.signal);
    delivery.signal.throwIfAborted();
    const state = await putChunk(session, token, Buffer.alloc(0), `bytes */${sizeBytes}`, delivery);
    if (state.status < 300) return state;
    if (state.status !== 308) throw toRefusal(state);
    sent = receivedBytes(state);
  }
}

/** Sends chunks until YouTube responds with something other than 308 (more expected). */
async function sendFrom(start: number, session: string, token: string, delivery: DeliveryContext): Promise<OutboundResponse> {
  const { path, sizeBytes } = delivery.file;
  let sent = start;
  for (;;) {
    const end = Math.min(sent + CHUNK_BYTES, sizeBytes);
    const chunk = await readChunk(path, sent, end);
    const answer = await putChunk(session, token, chunk, `bytes ${sent}-${end - 1}/${sizeBytes}`, delivery);
    if (answer.status !== 308) return answer;
    const received = receivedBytes(answer);
    if (received <= sent) throw transient('stopped accepting the file');
    sent = received;
  }
}

function putChunk(session: string, token: string, body: Buffer, range: string, { file, options, idleMs, signal }: DeliveryContext): Promise<OutboundResponse> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': file.mimeType, 'content-range': range };
  return options.outbound.send(session, { method: 'PUT', headers, body, idleMs, signal });
}

/** `Range: bytes=0-1048575` of a 308: the bytes received so far; without the header, none. */
function receivedBytes({ headers }: OutboundResponse): number {
  const last = /^bytes=0-(\d+)$/.exec(headers.range ?? '')?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}

/** The response, or undefined when the connection broke and the upload can be resumed. */
async function unlessBroken(resumes: number, send: () => Promise<OutboundResponse>): Promise<OutboundResponse | undefined> {
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

function videoId(answer: OutboundResponse): string {
  const { id } = parseBody(answer);
  if (typeof id === 'string' && /^[\w-]{1,64}$/.test(id)) return id;
  throw transient('accepted the file but returned no video id');
}

interface YoutubeBody {
  access_token?: unknown;
  id?: unknown;
  error?: { errors?: Array<{ reason?: unknown }> };
}

function parseBody({ text }: OutboundResponse): YoutubeBody {
  try {
    return (JSON.parse(text) ?? {}) as YoutubeBody;
  } catch {
    return {};
  }
}

function toRefusal(answer: OutboundResponse): ExportFailure {
  const reason = parseBody(answer).error?.errors?.[0]?.reason;
  const why = typeof reason === 'string' && /^\w{1,60}$/.test(reason) ? ` ${reason}` : '';
  return new ExportFailure(`answered ${answer.status}${why}`, answer.status >= 500 || answer.status === 429 || answer.status === 408);
}
