import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withLocalRender } from '../../src/cli/local-render.js';
import { loadConfig } from '../../src/config/index.js';
import { planMovie } from '../../src/render/index.js';
import { ffmpeg } from '../support/ffmpeg.js';

it('downloads masks in parallel with the media that wait for them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'framewright-gathering-'));
  const path = join(folder, 'grey.png');
  await ffmpeg('-f', 'lavfi', '-i', 'color=gray:s=32x18', '-frames:v', '1', path);
  const bytes = await readFile(path);
  let askedForMask = (): void => {};
  const maskAsked = new Promise<void>((resolve) => {
    askedForMask = resolve;
  });
  const server = createServer(async (request, response) => {
    if (request.url === '/mask.png') askedForMask();
    else await maskAsked;
    response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const element = { type: 'image', src: `http://${host}/picture.png`, mask: `http://${host}/mask.png` };
    const script = { width: 32, height: 18, scenes: [{ duration: 1, elements: [element] }] };
    const config = loadConfig({ ...process.env, FRAMEWRIGHT_DATA_DIR: folder, FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: host });
    const { timeline } = await withLocalRender(join(folder, 'movie.json'), config, (parts, workDir) =>
      planMovie({ script, workDir, signal: AbortSignal.timeout(15_000) }, parts),
    );
    expect(timeline.sources.length).toBeGreaterThan(0);
  } finally {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  }
}, 20_000);
