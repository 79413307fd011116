import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/errors/index.js';
import { createOutbound, type Outbound } from '../../../../src/outbound/index.js';
import { type Assets, createAssets, type MediaMetadata } from '../../../../src/render/assets/index.js';
import { type LocalServer, startServer } from '../../outbound/local-server.js';

const run = promisify(execFile);

/** Probes with ffprobe, so that these tests do not need the engine. */
async function probe(path: string): Promise<MediaMetadata> {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', path]).catch(() => {
    throw new AppError('RENDER_FAILED', { message: 'no decoder knows it' });
  });
  const { streams, format } = JSON.parse(stdout) as { streams: Array<Record<string, string | number>>; format: { duration?: string } };
  const videoStream = streams.find((stream) => stream.codec_type === 'video');
  const hasAudio = streams.some((stream) => stream.codec_type === 'audio');
  return {
    kind: videoStream === undefined ? 'audio' : 'image',
    width: Number(videoStream?.width ?? 0),
    height: Number(videoStream?.height ?? 0),
    durationSeconds: Number(format.duration ?? 0),
    hasAudio,
  };
}

let root: string;
let folder: string;
let png: Buffer;
let server: LocalServer;
let outbound: Outbound;
let assets: Assets;
let running = 0;
let maxRunning = 0;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'assets-'));
  const imagePath = join(root, 'image.png');
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=64x48', '-frames:v', '1', imagePath]);
  png = readFileSync(imagePath);
  server = await startServer((request, response) => {
    const path = request.url ?? '';
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    setTimeout(() => {
      running -= 1;
      if (path.startsWith('/missing')) response.writeHead(404).end();
      else if (path.startsWith('/page')) response.end('<html>Not an image</html>');
      else response.end(path.startsWith('/other') ? Buffer.concat([png, Buffer.from(path)]) : png);
    }, 60);
  });
  outbound = createOutbound({ allowPrivateHosts: [server.host] });
});

beforeEach(() => {
  folder = mkdtempSync(join(root, 'store-'));
  assets = createAssets({ folder, outbound, probe });
  server.hits.clear();
});

afterAll(async () => {
  await outbound.close();
  await server.close();
  rmSync(root, { recursive: true });
});

const signal = (): AbortSignal => new AbortController().signal;

async function failure(store: Assets, url: string, label = 'scenes.0.elements.1'): Promise<string> {
  const error = await store.fetchAsset(url, label, 'image', signal()).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  expect((error as AppError).code).toBe('RENDER_FAILED');
  return (error as AppError).message;
}

describe('fetchAsset', () => {
  test('stores the file under the hash of its bytes, with its metadata', async () => {
    const asset = await assets.fetchAsset(`${server.origin}/a.png`, 'scenes.0.elements.0', 'image', signal());
    const sha256 = createHash('sha256').update(png).digest('hex');
    expect(asset).toEqual({ path: join(folder, sha256), sha256, metadata: { kind: 'image', width: 64, height: 48, durationSeconds: 0, hasAudio: false } });
    expect(readFileSync(asset.path).equals(png)).toBe(true);
    expect(readdirSync(folder)).toEqual([sha256]);
  });

  test('downloads a URL once for all elements of a job', async () => {
    const job = signal();
    const fetched = await Promise.all([0, 1, 2, 3, 4].map((k) => assets.fetchAsset(`${server.origin}/same.png`, `scenes.${k}`, 'image', job)));
    expect(new Set(fetched.map((asset) => asset.path)).size).toBe(1);
    expect(server.hits.get('/same.png')).toBe(1);
    await assets.fetchAsset(`${server.origin}/same.png`, 'scenes.0', 'image', signal());
    expect(server.hits.get('/same.png'), 'another job asks anew').toBe(2);
  });

  test('one job that is cancelled does not take another with it', async () => {
    const first = new AbortController();
    const doomed = assets.fetchAsset(`${server.origin}/shared.png`, 'scenes.0', 'image', first.signal);
    const other = assets.fetchAsset(`${server.origin}/shared.png`, 'scenes.0', 'image', signal());
    first.abort(new Error('cancelled'));
    await expect(doomed).rejects.toThrow('cancelled');
    expect((await other).metadata.width).toBe(64);
  });

  test('fetches four at a time', async () => {
    maxRunning = 0;
    const job = signal();
    await Promise.all(Array.from({ length: 12 }, (_, k) => assets.fetchAsset(`${server.origin}/other${k}.png`, `scenes.${k}`, 'image', job)));
    expect(maxRunning).toBe(4);
    expect(readdirSync(folder)).toHaveLength(12);
  });

  test('names the element, the URL and the reason of a failure', async () => {
    expect(await failure(assets, `${server.origin}/missing.png?token=secret`)).toBe(
      `scenes.0.elements.1: the image at ${server.origin}/missing.png answered 404`,
    );
    expect(await failure(assets, 'http://10.0.0.1/a.png')).toBe(
      'scenes.0.elements.1: the image at http://10.0.0.1/a.png is refused: 10.0.0.1 is not a public address',
    );
    expect(await failure(assets, `${server.origin}/page.png`)).toBe(
      `scenes.0.elements.1: the image at ${server.origin}/page.png cannot be read as media: no decoder knows it`,
    );
    expect(readdirSync(folder), 'nothing is left behind').toEqual([]);
  });

  test('tells every element of a shared failure by its own name', async () => {
    const job = signal();
    const labels = ['scenes.0.elements.0', 'scenes.7.elements.3'];
    const settled = await Promise.allSettled(labels.map((label) => assets.fetchAsset(`${server.origin}/missing.png`, label, 'image', job)));
    const messages = settled.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason.message) : ''));
    expect(messages.map((message) => message.split(':')[0])).toEqual(labels);
    expect(server.hits.get('/missing.png')).toBe(1);
  });

  test('rejects images beyond the pixel limits', async () => {
    const small = createAssets({ folder, outbound, probe, limits: { maxPixels: 1000 } });
    expect(await failure(small, `${server.origin}/a.png`)).toContain('is 64×48 pixels large');
    const narrow = createAssets({ folder, outbound, probe, limits: { maxSide: 50 } });
    expect(await failure(narrow, `${server.origin}/a.png`)).toContain('50 on a side');
  });

  test('a fault of ours is not blamed on the media', async () => {
    const broken = createAssets({
      folder,
      outbound,
      probe: () => Promise.reject(new AppError('INTERNAL_ERROR', { detail: 'out of memory' })),
    });
    await expect(broken.fetchAsset(`${server.origin}/a.png`, 'scenes.0', 'image', signal())).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });
});

describe('files beside the script', () => {
  let local: Assets;
  let scriptFolder: string;

  beforeEach(() => {
    scriptFolder = mkdtempSync(join(root, 'script-'));
    mkdirSync(join(scriptFolder, 'media'));
    writeFileSync(join(scriptFolder, 'media', 'a.png'), png);
    symlinkSync(join(root, 'image.png'), join(scriptFolder, 'media', 'link.png'));
    local = createAssets({ folder, outbound, probe, localRoot: scriptFolder });
  });

  test('are read in place', async () => {
    expect(local.checkUrl('media/a.png')).toBeUndefined();
    const asset = await local.fetchAsset('media/a.png', 'scenes.0', 'image', signal());
    expect(asset.path).toBe(join(scriptFolder, 'media', 'a.png'));
    expect(asset.sha256).toBe(createHash('sha256').update(png).digest('hex'));
    expect(readdirSync(folder)).toEqual([]);
  });

  test('must exist, below the folder', async () => {
    expect(await failure(local, 'media/none.png')).toBe('scenes.0.elements.1: the image at media/none.png does not exist');
    expect(await failure(local, 'media')).toContain('does not exist');
    expect(await failure(local, '../../image.png')).toContain('does not exist');
    expect(await failure(local, '../image.png')).toContain("lies outside the script's folder");
    expect(await failure(local, 'media/link.png')).toContain("lies outside the script's folder");
    expect(local.checkUrl('/etc/passwd')).toBe('a file must be named relative to the script');
  });

  test('do not open the door to other URLs', () => {
    expect(local.checkUrl('http://10.0.0.1/')).toBe('10.0.0.1 is not a public address');
    expect(local.checkUrl('file:///etc/passwd')).toBe('it must be an http or https URL');
    expect(assets.checkUrl('media/a.png')).toBe('it must be an http or https URL');
  });
});

describe('fetchFile', () => {
  test('keeps any file, unprobed, up to its limit', async () => {
    const url = `${server.origin}/page.html`;
    const file = await assets.fetchFile(url, 'elements.0', 'captions', 1_048_576, signal());
    expect(readFileSync(file.path, 'utf8')).toBe('<html>Not an image</html>');
    await expect(assets.fetchFile(url, 'elements.0', 'captions', 8, signal())).rejects.toThrow(
      /^elements\.0: the captions at .*page\.html is larger than the 8 bytes allowed/,
    );
    expect(readdirSync(folder)).toEqual([file.sha256]);
  });

  test('reads beside the script what is small enough', async () => {
    const beside = join(root, 'beside');
    mkdirSync(beside, { recursive: true });
    writeFileSync(join(beside, 'small.srt'), 'x');
    writeFileSync(join(beside, 'large.srt'), Buffer.alloc(1_048_577));
    const local = createAssets({ folder, outbound, probe, localRoot: beside });
    expect((await local.fetchFile('small.srt', 'elements.0', 'captions', 1_048_576, signal())).path).toMatch(/small\.srt$/);
    await expect(local.fetchFile('large.srt', 'elements.0', 'captions', 1_048_576, signal())).rejects.toThrow('larger than the 1 MiB');
    await expect(local.fetchFile('../image.png', 'elements.0', 'captions', 1_048_576, signal())).rejects.toThrow('outside');
  });

  test('rejects files beyond the total size limit', async () => {
    const few = createAssets({ folder, outbound, probe, limits: { totalBytes: 2 * png.length, parallel: 1 } });
    const fetched = [1, 2, 3].map((number) => few.fetchAsset(`${server.origin}/other-${number}.png`, `elements.${number}`, 'image', signal()));
    const [first, second, third] = await Promise.allSettled(fetched);
    expect([first?.status, second?.status, third?.status]).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(String((third as PromiseRejectedResult).reason)).toMatch(
      /elements\.3: the image at .*other-3\.png exceeds the total size of a movie's files: up to 0 MiB are allowed/,
    );
  });
});
