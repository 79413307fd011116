import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createOutbound } from '../../../../src/outbound/index.js';
import { type Canary, startCanary } from '../../../support/canary.js';
import { hostileHosts } from '../../../support/hostile-addresses.js';
import { at30, openTestHtmlSprites, pageOf } from '../../../support/html-sprites.js';
import { until } from '../../../support/receiver.js';

let canary: Canary;
let front: Server;
let frontHost: string;
let there: string;
beforeAll(async () => {
  canary = await startCanary();
  there = `127.0.0.1:${canary.port}`;
  front = createServer((request, response) => {
    const file = files[request.url?.split('?', 1)[0] ?? ''];
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': file.type }).end(file.text(there));
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => front.once('listening', listening));
  frontHost = `127.0.0.1:${(front.address() as AddressInfo).port}`;
});
afterAll(() => {
  front.closeAllConnections();
  front.close();
  canary.close();
});
beforeEach(() => {
  canary.connections.length = 0;
});

/** Everything a page has to reach out with, one line each; the word behind the last slash names the channel. */
const page = (there: string): string => `<!doctype html>
  <link rel="manifest" href="http://${there}/manifest"><link rel="icon" href="http://${there}/icon">
  <link rel="dns-prefetch" href="//${there}"><link rel="preconnect" href="http://${there}"><link rel="prefetch" href="http://${there}/prefetch">
  <link rel="preload" as="fetch" href="http://${there}/preload"><link rel="modulepreload" href="http://${there}/modulepreload">
  <link rel="stylesheet" href="http://${there}/stylesheet">
  <script type="speculationrules">{"prefetch":[{"source":"list","urls":["http://${there}/speculated"]}],"prerender":[{"source":"list","urls":["http://${there}/prerendered"]}]}</script>
  <style>@import "http://${there}/import"; @font-face{font-family:F;src:url(http://${there}/font)} b{font-family:F;background:url(http://${there}/background)}
  i{cursor:url(http://${there}/cursor),auto;mask-image:url(http://${there}/mask);border-image:url(http://${there}/border) 1}</style>
  <b>x</b><i>y</i><img src="http://${there}/img"><img srcset="http://${there}/srcset 1x"><picture><source srcset="http://${there}/source"><img></picture>
  <iframe src="http://${there}/iframe"></iframe><object data="http://${there}/object"></object><embed src="http://${there}/embed">
  <video src="http://${there}/video" poster="http://${there}/poster"><track default src="http://${there}/track"></video><audio src="http://${there}/audio" preload="auto"></audio>
  <svg><use href="http://${there}/use#a"/><image href="http://${there}/svg-image"/><filter id="f"><feImage href="http://${there}/fe-image"/></filter></svg>
  <script src="http://${there}/script"></script><a id="a" href="#x" ping="http://${there}/ping">a</a>
  <script>
    const quiet = (work) => { try { Promise.resolve(work()).catch(() => {}); } catch {} };
    quiet(() => fetch('http://${there}/fetch'));
    quiet(() => fetch('http://${there}/keepalive', { method: 'POST', keepalive: true, mode: 'no-cors', body: 'x' }));
    quiet(() => { const x = new XMLHttpRequest(); x.open('GET', 'http://${there}/xhr'); x.send(); });
    quiet(() => { const x = new XMLHttpRequest(); x.open('GET', 'http://${there}/xhr-sync', false); x.send(); });
    quiet(() => new WebSocket('ws://${there}/ws'));
    quiet(() => new WebSocket('wss://${there}/wss'));
    quiet(() => new EventSource('http://${there}/events'));
    quiet(() => navigator.sendBeacon('http://${there}/beacon', 'x'));
    quiet(() => import('http://${there}/module'));
    quiet(() => new Worker('/worker.js'));
    quiet(() => new SharedWorker('/shared.js'));
    quiet(() => navigator.serviceWorker.register('/service.js'));
    quiet(() => new AudioContext().audioWorklet.addModule('http://${there}/worklet'));
    quiet(() => WebAssembly.compileStreaming(fetch('http://${there}/wasm')));
    quiet(() => new WebTransport('https://${there}/transport').ready);
    quiet(() => new FontFace('G', 'url(http://${there}/font-face)').load());
    for (const urls of ['stun:${there}', 'turn:${there}?transport=udp', 'turn:${there}?transport=tcp']) quiet(() => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls, username: 'a', credential: 'b' }] });
      peer.createDataChannel('x');
      return peer.createOffer().then((offer) => peer.setLocalDescription(offer));
    });
    quiet(() => document.getElementById('a').click());
    quiet(() => window.open('http://${there}/popup'));
    addEventListener('pagehide', () => navigator.sendBeacon('http://${there}/goodbye', 'x'));
  </script>`;

const fromWorker = (name: string) => (there: string) =>
  `fetch('http://${there}/${name}-fetch',{mode:'no-cors'}).catch(()=>{});try{new WebSocket('ws://${there}/${name}-ws')}catch{};try{importScripts('http://${there}/${name}-import')}catch{}`;
const files: Record<string, { type: string; text: (there: string) => string }> = {
  '/page': { type: 'text/html', text: page },
  '/worker.js': { type: 'text/javascript', text: fromWorker('worker') },
  '/shared.js': { type: 'text/javascript', text: fromWorker('shared') },
  '/service.js': { type: 'text/javascript', text: fromWorker('service') },
};

it('a page has no channel to an address that the door refuses, not even from a secure context with workers', async () => {
  await using bench = await openTestHtmlSprites({ outbound: createOutbound({ allowPrivateHosts: [frontHost] }) });
  const { html: _none, ...shown } = pageOf('', { wait: 1 });
  const { warnings } = await bench.sprites.draw({ ...shown, url: `http://${frontHost}/page` }, at30(1));
  await bench.sprites.draw(pageOf(page(there), { wait: 1 }), at30(1));
  await new Promise((wait) => setTimeout(wait, 500));
  expect(canary.connections).toEqual([]);
  expect(warnings.length).toBeGreaterThan(3);
});

it('nor by any spelling of an address, in a page or as one', async () => {
  const all = hostileHosts.map((host) => `${host}:${canary.port}`);
  const html = all.map((host) => `<img src="http://${host}/a"><iframe src="HTTP://${host}/b"></iframe><link rel="stylesheet" href="//${host}/c">`).join('\n');
  await using bench = await openTestHtmlSprites({ outbound: createOutbound({ allowPrivateHosts: [], resolve: async () => ['127.0.0.1'] }) });
  await bench.sprites.draw(pageOf(html), at30(0.1));
  const { html: _none, ...shown } = pageOf('');
  for (const host of ['2130706433', '[::ffff:127.0.0.1]', '0x7f.1', 'localhost', 'name-that-leads-inside.example.com', 'user@127.1']) {
    await expect(bench.sprites.draw({ ...shown, url: `http://${host}:${canary.port}/` }, at30(0.1))).rejects.toMatchObject({ code: 'RENDER_FAILED' });
  }
  expect(canary.connections).toEqual([]);
});

it('the same page reaches the canary by its channels when nothing holds it', async () => {
  const wanted = ['fetch', 'xhr', 'ws', 'wss', 'events', 'beacon', 'img', 'background', 'font', 'iframe', 'worker-fetch', 'service-fetch', 'prefetch', 'udp'];
  const profile = await mkdtemp(join(tmpdir(), 'framewright-open-'));
  const browser = await launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    headless: 'shell',
    pipe: true,
    userDataDir: profile,
    args: ['--no-sandbox'],
  });
  try {
    const tab = await browser.newPage();
    await tab.goto(`http://${frontHost}/page`, { waitUntil: 'domcontentloaded' });
    await until(() => wanted.every((channel) => channelsHeard().includes(channel)), 15_000).catch(() => {});
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
  }
  expect(channelsHeard()).toEqual(expect.arrayContaining(wanted));
});

/** The word behind the slash, or what it was instead: UDP, or TLS, whose first byte is 0x16. */
function channelsHeard(): string[] {
  return canary.connections.map((line) => (line.startsWith('\x16') ? 'wss' : (/^\w+ \/([\w-]+)/.exec(line)?.[1] ?? line)));
}
