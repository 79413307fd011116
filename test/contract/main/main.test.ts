import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cli.js';

const mainPath = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [mainPath], {
    env: { PATH: process.env.PATH, PORT: '0', FRAMEWRIGHT_DATA_DIR: folder.path, FRAMEWRIGHT_WORKERS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    said.out += String(text);
  });
  child.stderr.on('data', (text) => {
    said.err += String(text);
  });
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal, ...said }));
  const listening = once(child.stdout, 'data').then(([text]) => /http:\/\/\S+/.exec(String(text))?.[0] ?? '');
  return { child, exit, listening };
}

it.each(['SIGTERM', 'SIGINT'] as const)('prints its real address and where Studio is, and stops cleanly on %s', async (signal) => {
  const { child, exit, listening } = start();
  const address = await listening;
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
  expect((await fetch(`${address}/api/render/schema`)).status).toBe(200);
  child.kill(signal);
  const { code, out, err } = await exit;
  expect([code, out]).toEqual([0, `Framewright listens on ${address}\nStudio: ${address}/\n`]);
  for (const line of err.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
});

it('reports a wrong setting in one line with exit code 2', async () => {
  const { code, out, err } = await start({ FRAMEWRIGHT_WORKERS: 'lots' }).exit;
  expect([code, out, err]).toEqual([2, '', 'framewright: FRAMEWRIGHT_WORKERS: "lots" is not a whole number from 0 to 256\n']);
});

it('reports a broken pack in one line with exit code 2', async () => {
  const packs = join(folder.path, 'packs');
  await mkdir(join(packs, 'mine'), { recursive: true });
  await writeFile(join(packs, 'mine', 'pack.json'), '{"name": "mine"}');
  const { code, out, err } = await start({ FRAMEWRIGHT_PACKS_DIR: packs }).exit;
  const said = `framewright: FRAMEWRIGHT_PACKS_DIR: ${packs}/mine/pack.json: the file must have required property 'version'\n`;
  expect([code, out, err]).toEqual([2, '', said]);
});

it('reports a port in use in one line with exit code 1', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, err } = await start({ PORT: String(port) }).exit;
  other.close();
  expect(code).toBe(1);
  expect(err.split('\n').find((line) => line.startsWith('framewright:'))).toContain(`EADDRINUSE: address already in use 127.0.0.1:${port}`);
});
