import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutbound } from '../../../../src/outbound/index.js';
import { at30, openTestHtmlSprites, pageOf } from '../../../support/html-sprites.js';
import { centreOfInk, decodeImages } from '../../../support/sequence-file.js';

const square = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="${colour}"/></svg>`;

describe('the network of HTML pages', () => {
  let server: Server;
  let host: string;
  const asked: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/slow') return;
      if (request.url === '/page') {
        response.setHeader('Content-Type', 'text/html');
        response.end('<body style="margin:0"><img style="display:block" src="/red.svg"><script src="app.js"></script>');
        return;
      }
      const type = request.url?.endsWith('.js') === true ? 'text/javascript' : 'image/svg+xml';
      response.setHeader('Content-Type', type);
      response.end(
        type === 'text/javascript'
          ? 'fetch("/x.svg").then(r=>r.text()).then(t=>{const d=document.createElement("div");d.innerHTML=t;document.body.append(d)})'
          : square('red'),
      );
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it('goes through the outbound door, for a page by URL and all that it loads', async () => {
    await using bench = await openTestHtmlSprites({ outbound: createOutbound({ allowPrivateHosts: [host] }) });
    const { html: _none, ...page } = pageOf('');
    const drawn = await bench.sprites.draw({ ...page, url: `http://${host}/page` }, at30(1));
    expect(drawn).toMatchObject({ kind: 'image', warnings: [] });
    const [pixels = Buffer.alloc(0)] = decodeImages([readFileSync(drawn.path)], drawn.width, drawn.height);
    expect(centreOfInk(pixels, drawn.width)).toEqual({ x: 10, y: 20, ink: 800 });
    expect(asked.splice(0).sort()).toEqual(['/app.js', '/page', '/red.svg', '/x.svg']);
    // What the network says may change: nothing of it is kept.
    await bench.sprites.draw({ ...page, url: `http://${host}/page` }, at30(1));
    expect(asked.splice(0)).toHaveLength(4);
  });

  it('reaches no address that the door refuses, whatever a page tries', async () => {
    let connections = 0;
    const canary = createTcp((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => canary.once('listening', resolve));
    const { port } = canary.address() as AddressInfo;
    const there = `127.0.0.1:${port}`;
    const html = `
      <link rel="dns-prefetch" href="//localhost:${port}"><link rel="preconnect" href="http://${there}"><link rel="prefetch" href="http://${there}/prefetch">
      <link rel="stylesheet" href="http://localhost:${port}/a.css"><style>@import "http://${there}/b.css"; b{background:url(http://[::1]:${port}/c.png)}</style>
      <b>x</b><img src="http://2130706433:${port}/d.png"><img src="file:///etc/hostname"><iframe src="http://${there}/frame"></iframe>
      <iframe src="file:///etc/passwd"></iframe><object data="http://${there}/o"></object><video src="http://${there}/v.mp4"></video>
      <form id="f" method="post" target="_blank" action="http://${there}/form"></form>
      <script>
        const quiet = (work) => { try { Promise.resolve(work()).catch(() => {}); } catch {} };
        quiet(() => fetch('http://${there}/fetch'));
        quiet(() => fetch('http://${there}/post', { method: 'POST', body: 'x', mode: 'no-cors' }));
        quiet(() => navigator.sendBeacon('http://${there}/beacon', 'x'));
        quiet(() => new WebSocket('ws://${there}/ws'));
        quiet(() => new EventSource('http://${there}/events'));
        quiet(() => import('http://${there}/module.js'));
        quiet(() => new Worker(URL.createObjectURL(new Blob(["fetch('http://${there}/worker').catch(()=>{});try{new WebSocket('ws://${there}/w')}catch{};try{importScripts('http://${there}/i.js')}catch{}"]))));
        quiet(() => { const p = new RTCPeerConnection({ iceServers: [{ urls: 'turn:${there}?transport=tcp', username: 'a', credential: 'b' }] }); p.createDataChannel('x'); return p.createOffer().then((o) => p.setLocalDescription(o)); });
        quiet(() => window.open('http://${there}/popup'));
        quiet(() => document.getElementById('f').submit());
        quiet(() => { const a = document.createElement('a'); a.href = 'http://${there}/download'; a.download = 'x'; a.click(); });
        quiet(() => navigator.serviceWorker.register('http://${there}/sw.js'));
        setTimeout(() => { new Image().src = 'http://${there}/late.png'; }, 200);
        alert('stop'); confirm('stop');
      </script>`;
    await using bench = await openTestHtmlSprites({ outbound: createOutbound({ allowPrivateHosts: [] }) });
    const { warnings } = await bench.sprites.draw(pageOf(html, { wait: 0.5 }), at30(0.5));
    expect(connections).toBe(0);
    expect(warnings).toEqual(expect.arrayContaining([expect.stringContaining(`http://${there}/b.css is refused: `), expect.stringContaining('more warnings')]));
    canary.close();
  });

  it('is not there without a door, and a relative address has nothing to be relative to', async () => {
    await using bench = await openTestHtmlSprites();
    const { warnings } = await bench.sprites.draw(pageOf(`<img src="http://${host}/a.svg"><img src="photo.png">`), at30(1));
    expect(warnings.sort()).toEqual(
      [
        `http://${host}/a.svg is refused: pages have no network access on this host`,
        'http://framewright.internal/photo.png is relative, but a snippet has no base URL: use an absolute URL',
      ].sort(),
    );
    expect(asked.splice(0)).toEqual([]);
  });

  it('fails the element when its page does not come', async () => {
    await using bench = await openTestHtmlSprites({ outbound: createOutbound({ allowPrivateHosts: [host] }), limits: { timeoutMs: 400 } });
    const { html: _none, ...page } = pageOf('', { path: 'scenes.0.elements.1' });
    await expect(bench.sprites.draw({ ...page, url: `http://${host}/slow` }, at30(1))).rejects.toMatchObject({
      code: 'RENDER_FAILED',
      message: expect.stringMatching(new RegExp(`^scenes\\.0\\.elements\\.1: http://${host}/slow `)),
    });
    await expect(bench.sprites.draw({ ...page, url: 'http://169.254.169.254/latest' }, at30(1))).rejects.toMatchObject({
      code: 'RENDER_FAILED',
      message: expect.stringContaining('is refused'),
    });
  });
});
