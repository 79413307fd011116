import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deliverExports, type ExportOptions, parseExports } from '../../../../src/delivery/exports/index.js';
import { createOutbound } from '../../../../src/outbound/index.js';
import { type Folder, localParts, makeFile, sha256Of, startRawServer, temporaryFolder } from './fixtures.js';
import { startYoutube, type YoutubeServer } from './youtube-server.js';

let folder: Folder;
let youtube: YoutubeServer;

beforeAll(async () => {
  folder = await temporaryFolder();
});

beforeEach(async () => {
  youtube = await startYoutube();
});

afterEach(() => youtube.close());
afterAll(() => folder.remove());

const parts = (overrides: Partial<ExportOptions> = {}) =>
  localParts({ youtube: { apiUrl: youtube.origin, tokenUrl: `${youtube.origin}/token` }, ...overrides });
const target = (fields: object = {}): unknown => [{ type: 'youtube', title: 'Film of __yyyy__', access_token: 'good-token', ...fields }];
const delivered = { type: 'youtube', status: 'delivered', location: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', attempts: 1 };

describe('export to YouTube', () => {
  it('uploads 12 MB in chunks, with the metadata of the video', async () => {
    const file = await makeFile(folder.path, 12_000_001);
    const fields = { description: 'made __dd__.__mm__.', tags: ['one', '__filename__'], privacy_status: 'unlisted', notify_subscribers: true };
    const [result] = await deliverExports(parseExports(target(fields)), file, parts());
    expect(result).toMatchObject(delivered);
    expect(sha256Of(youtube.received)).toBe(file.sha256);
    expect(youtube.ranges).toEqual(['bytes 0-8388607/12000001', 'bytes 8388608-12000000/12000001']);
    expect(youtube.opened?.length).toBe('12000001');
    expect(Object.fromEntries(youtube.opened?.query ?? [])).toEqual({ uploadType: 'resumable', part: 'snippet,status', notifySubscribers: 'true' });
    expect(youtube.opened?.video).toEqual({
      snippet: { title: 'Film of 2031', description: 'made 03.02.', tags: ['one', file.name], categoryId: '22' },
      status: { privacyStatus: 'unlisted', selfDeclaredMadeForKids: false },
    });
  });

  it('obtains an access token with a refresh token', async () => {
    const file = await makeFile(folder.path, 1_000);
    const access = { access_token: null, refresh_token: 'good-refresh', client_id: 'client', client_secret: 'client-secret' };
    const [result] = await deliverExports(parseExports(target(access)), file, parts());
    expect(result).toMatchObject(delivered);
    expect(Object.fromEntries(youtube.tokensAsked[0] ?? [])).toEqual({ grant_type: 'refresh_token', ...access, access_token: undefined });
  });

  it.each([
    ['503', ['503'] as const],
    ['a broken connection', ['break', 'break'] as const],
    ['half a chunk', ['half'] as const],
  ])('goes on where it was after %s, in the same session', async (_what, mishaps) => {
    youtube.mishaps.push(...mishaps);
    const file = await makeFile(folder.path, 9_000_000);
    const [result] = await deliverExports(parseExports(target()), file, parts());
    expect(result).toMatchObject(delivered);
    expect(youtube.sessions).toBe(1);
    expect(sha256Of(youtube.received)).toBe(file.sha256);
  });

  it('fails at once if the token or refresh token is refused, without showing either', async () => {
    const file = await makeFile(folder.path, 1_000);
    const [refused] = await deliverExports(parseExports(target({ access_token: 'stale-token' })), file, parts());
    expect(refused).toEqual({ type: 'youtube', status: 'failed', attempts: 1, message: 'YouTube answered 401 authError.' });
    const stale = { access_token: null, refresh_token: 'stale-refresh', client_id: 'client', client_secret: 'client-secret' };
    const [noToken] = await deliverExports(parseExports(target(stale)), file, parts());
    expect(noToken).toEqual({ type: 'youtube', status: 'failed', attempts: 1, message: 'YouTube rejected the refresh token or its client.' });
    expect(youtube.received.length).toBe(0);
  });

  it('fails after four attempts if YouTube is silent', async () => {
    const silent = await startRawServer();
    const silentParts = parts({ idleMs: 120, youtube: { apiUrl: `http://127.0.0.1:${silent.port}`, tokenUrl: `http://127.0.0.1:${silent.port}/token` } });
    const [result] = await deliverExports(parseExports(target()), await makeFile(folder.path, 10), silentParts);
    expect(result).toEqual({ type: 'youtube', status: 'failed', attempts: 4, message: 'YouTube did not answer in time.' });
    await silent.close();
  });

  it('does not follow a response to a private address', async () => {
    const lure = await startRawServer();
    const outbound = createOutbound({ allowPrivateHosts: [new URL(youtube.origin).host] });
    youtube.close();
    const { createServer } = await import('node:http');
    const port = Number(new URL(youtube.origin).port);
    const evil = createServer((request, response) =>
      request.resume().on('end', () => response.writeHead(200, { location: `http://127.0.0.1:${lure.port}/` }).end()),
    );
    await new Promise<void>((listening) => evil.listen(port, '127.0.0.1', () => listening()));
    const [result] = await deliverExports(parseExports(target()), await makeFile(folder.path, 10), { ...parts(), outbound });
    expect(result?.status).toBe('failed');
    expect(lure.connections).toBe(0);
    evil.closeAllConnections();
    evil.close();
    await lure.close();
  });
});

it('a stream, an animation or a still is refused, because YouTube takes videos', () => {
  const target = { type: 'youtube', title: 'x', access_token: 'token' };
  const outputs = [
    { name: 'film', format: 'mp4' as const },
    { name: 'live', format: 'hls' as const },
  ];
  expect(parseExports([target], { outputs })).toHaveLength(1);
  expect(() => parseExports([{ ...target, output: 'live' }], { outputs })).toThrow('output must be the name of a video for YouTube; "live" is a hls file.');
  expect(() => parseExports([target], { outputs: [{ name: 'loop', format: 'gif' }] })).toThrow('"loop" is a gif file');
});
