import { spawn } from 'node:child_process';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../../support/cli.js';
import { ffprobe } from '../../support/ffmpeg.js';
import { freePort } from '../../support/free-port.js';
import { createKey, type RunningService, startService } from '../../support/service.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningService;
let environment: Record<string, string>;
let blocks: string[];
beforeAll(async () => {
  const pages = await Promise.all(['docs/client.md', 'README.md'].map((path) => readFile(join(root, path), 'utf8')));
  blocks = [...pages.join('').matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
  folder = await temporaryFolder();
  // As npm installs it.
  await mkdir(join(folder.path, 'node_modules'));
  await symlink(root, join(folder.path, 'node_modules/framewright'));
  service = await startService(join(folder.path, 'data'), { FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' });
  environment = { FRAMEWRIGHT_API_KEY: await createKey(join(folder.path, 'data')), FRAMEWRIGHT_URL: service.url };
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

async function start(block: string, more: Record<string, string> = {}) {
  const path = join(folder.path, `${Math.random()}.mjs`);
  await writeFile(path, block);
  const child = spawn(process.execPath, [path], {
    cwd: folder.path,
    env: { PATH: process.env.PATH, ...environment, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  return { child, output: () => output, ended: new Promise<number | null>((resolve) => child.on('close', resolve)) };
}
const run = async (block: string): Promise<string> => {
  const { output, ended } = await start(block);
  expect([await ended, output()]).toEqual([0, expect.any(String)]);
  return output();
};

it('the first example of docs/client.md renders and downloads a video', async () => {
  const output = await run(blocks[0] ?? '');
  expect(output).toMatch(/\d+ % rendering scene|\d+ % \w+/);
  expect(output).toMatch(/2 s for 2 credits, 998 left\n$/);
  expect((await stat(join(folder.path, 'hello.mp4'))).size).toBeGreaterThan(1000);
  const { streams } = ffprobe(join(folder.path, 'hello.mp4'));
  expect(streams[0]).toMatchObject({ codec_name: 'h264', width: 640, height: 360 });
});

it('the template example creates, renders and deletes a template', async () => {
  expect(await run(blocks[1] ?? '')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/outputs\/.*\.mp4\n$/);
});

it('the example of the README runs', async () => {
  // It names no address, so the service listens on the default port.
  const block = blocks[3]
    ?.replace('FRAMEWRIGHT_API_KEY }', 'FRAMEWRIGHT_API_KEY, baseUrl: process.env.FRAMEWRIGHT_URL }')
    .replace('duration: 4', 'duration: 1');
  expect(block).toContain('baseUrl');
  expect(await run(block ?? '')).toBe('');
});

it('the webhook example accepts signed webhooks only', async () => {
  const port = await freePort();
  const { stdout } = await runCli(['webhooks', 'secret', '--account', 'acme'], { env: { FRAMEWRIGHT_DATA_DIR: join(folder.path, 'data') } });
  const receiver = await start(blocks[2] ?? '', { PORT: String(port), FRAMEWRIGHT_WEBHOOK_SECRET: stdout.trim() });
  while (!receiver.output().includes('listening')) await new Promise((resolve) => setTimeout(resolve, 20));
  const url = `http://127.0.0.1:${port}/`;
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400);
  const script = { width: 64, height: 64, scenes: [{ duration: 1 }], webhook_uri: url };
  const response = await fetch(`${service.url}/api/render`, {
    method: 'POST',
    headers: { 'x-api-key': environment.FRAMEWRIGHT_API_KEY ?? '', 'content-type': 'application/json' },
    body: JSON.stringify(script),
  });
  const { job_id } = (await response.json()) as { job_id: string };
  while (!receiver.output().includes(job_id)) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(receiver.output()).toContain(`completed ${job_id} http://127.0.0.1:`);
  receiver.child.kill();
  await receiver.ended;
});
