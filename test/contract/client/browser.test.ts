import { readFile, writeFile } from 'node:fs/promises';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { launch } from 'puppeteer-core';
import { expect, it } from 'vitest';
import { movie, type Service, startService } from '../../support/service-in-process.js';

const dist = new URL('../../../dist/client/', import.meta.url);

it('runs in a browser without bundling', async () => {
  let target = '';
  let service: Service;
  // One origin serves the page, the compiled client and the service.
  const server = createServer(async (request, response) => {
    const url = request.url ?? '';
    if (url === '/') response.setHeader('content-type', 'text/html').end('<!doctype html><title>client</title>');
    else if (url === '/go-on') {
      await writeFile(join(service.dataDir, 'gate'), '');
      response.end();
    } else if (url.startsWith('/client/')) response.setHeader('content-type', 'text/javascript').end(await readFile(new URL(url.slice(8), dist)));
    else
      request.pipe(
        send(target + url, { method: request.method, headers: request.headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        }),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = await startService({ environment: { FRAMEWRIGHT_PUBLIC_URL: origin } });
  target = service.app.address;
  const { key } = await service.createKey();
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await launch({ executablePath: '/usr/bin/chromium-headless-shell', headless: 'shell', args });
  try {
    const page = await browser.newPage();
    await page.goto(origin);
    const outcome = await page.evaluate(`(async () => {
      const { Framewright, verifyWebhook } = await import('/client/index.js');
      const client = new Framewright({ apiKey: ${JSON.stringify(key)}, baseUrl: location.origin });
      const seen = [];
      // The render waits until the page has received progress.
      const onProgress = ({ progress }) => { seen.push(progress); fetch('/go-on'); };
      const job = await client.render(${JSON.stringify(movie(`until=${join(service.dataDir, 'gate')}`))}, { onProgress });
      const video = await client.download(job);
      const error = await client.render({ scenes: [] }).catch((reason) => reason);
      const webhook = await verifyWebhook({ 'webhook-id': '1' }, '', 'whsec_AAAA').catch((reason) => reason.code);
      return { status: job.status, updates: seen.length, bytes: video.size, type: video.type, code: error.code, path: error.path, webhook };
    })()`);
    expect(outcome).toEqual({
      status: 'completed',
      updates: expect.any(Number),
      bytes: 1000,
      type: 'video/mp4',
      code: 'SCHEMA_VALIDATION_ERROR',
      path: 'scenes',
      webhook: 'WEBHOOK_REFUSED',
    });
    expect((outcome as { updates: number }).updates).toBeGreaterThan(0);
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
    await service.stop();
  }
});
