import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HtmlPage } from '../../../../src/graphics/index.js';
import { createOutbound } from '../../../../src/outbound/index.js';
import { at30, openTestHtmlSprites, pageOf } from '../../../support/html-sprites.js';

const refused = 'http://10.0.0.1/';
const documents: Record<string, string> = {
  script: `<p>x</p><script>location.replace('${refused}')</script>`,
  timer: `<p>x</p><script>setTimeout(() => { location.href = '${refused}' }, 200)</script>`,
  refresh: `<meta http-equiv="refresh" content="0;url=${refused}"><p>x</p>`,
  form: `<form id="f" action="${refused}"></form><script>f.submit()</script>`,
};
const head = `<!doctype html><html><head><script>location = '${refused}'</script></head><body><p>x</p></body></html>`;
const server = createServer((request, response) => {
  const name = request.url?.slice(1) ?? '';
  const document = name === 'head' ? head : documents[name];
  if (document === undefined) response.writeHead(302, { location: refused }).end();
  else response.setHeader('content-type', 'text/html').end(document);
});
let origin = '';

/** A page that is loaded from the server. */
function servedPage(path: string): HtmlPage {
  const { html: _, ...page } = pageOf('', { path: 'scenes.0.elements.0' });
  return { ...page, url: `http://${origin}/${path}` };
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

it.each(Object.keys(documents))('a page that navigates to a refused address stays, with a warning (%s)', async (name) => {
  for (const page of [pageOf(documents[name] ?? ''), servedPage(name)]) {
    await using bench = await openTestHtmlSprites({ outbound: createOutbound({ allowPrivateHosts: [origin] }) });
    const { kind, warnings } = await bench.sprites.draw(page, at30(1));
    expect({ kind, warnings }).toEqual({ kind: 'image', warnings: [`${refused} is refused: 10.0.0.1 is not a public address`] });
  }
});

it.each(['html', 'url'])('a page that navigates to a refused address before it draws anything fails with the reason (%s)', async (kind) => {
  await using bench = await openTestHtmlSprites({ outbound: createOutbound({ allowPrivateHosts: [origin] }) });
  const page = kind === 'url' ? servedPage('head') : pageOf(head, { path: 'scenes.0.elements.0' });
  await expect(bench.sprites.draw(page, at30(1))).rejects.toMatchObject({
    code: 'RENDER_FAILED',
    message: `scenes.0.elements.0: the page navigates away before it draws anything: ${refused} is refused: 10.0.0.1 is not a public address`,
  });
});

it('a page whose server redirects to a refused address fails with the reason', async () => {
  await using bench = await openTestHtmlSprites({ outbound: createOutbound({ allowPrivateHosts: [origin] }) });
  await expect(bench.sprites.draw(servedPage(''), at30(1))).rejects.toMatchObject({
    code: 'RENDER_FAILED',
    message: expect.stringMatching(/^scenes\.0\.elements\.0: .*10\.0\.0\.1 is not a public address/),
  });
});
