import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkSandbox, sandboxLauncher } from '../../../src/engine/child-processes/index.js';
import { sandboxArguments, systemLibraryPaths } from '../../../src/engine/child-processes/sandbox-arguments.js';
import { sandboxCommand } from '../../../src/engine/process/engine-sandbox.js';

const root = mkdtempSync(join(tmpdir(), 'framewright-rules-'));
const folder = join(root, 'job');
const secret = join(root, 'secret');
const readable = join(root, 'readable');
const fixtures = fileURLToPath(new URL('../../fixtures/sandbox', import.meta.url));
let server: Server;
let visits = 0;

beforeAll(async () => {
  mkdirSync(folder);
  writeFileSync(secret, 'secret');
  mkdirSync(readable);
  writeFileSync(join(readable, 'file'), 'x');
  server = createServer((socket) => {
    visits += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.close();
  await rm(root, { recursive: true, force: true });
});

interface Findings extends Record<string, unknown> {
  environment: string[];
  limits: Record<string, [string, string]>;
}

async function intrude(prefix: readonly string[]): Promise<Findings> {
  const task = JSON.stringify({
    folder,
    outside: root,
    secret,
    port: (server.address() as AddressInfo).port,
    readable: join(readable, 'file'),
    parent: process.pid,
  });
  const [program = '', ...args] = [...prefix, join(fixtures, 'intruder.mjs'), task];
  const child = spawn(program, args, { env: { LANG: 'C.UTF-8' }, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  return JSON.parse(output) as Findings;
}

const limits = { memoryMb: 2048, cpuSeconds: 60, fileMb: 16 };
const confined = (): string[] => [
  sandboxLauncher() ?? '',
  ...sandboxCommand([process.execPath], { isRequired: true, limits, folder, readable: [fixtures, readable], environment: {} }, 2),
];

const layers = await checkSandbox();
const hasAll = ['landlock', 'seccomp', 'privileges'].every((name) => layers.find(({ layer }) => layer === name)?.on);

describe.skipIf(!hasAll)('a program in the sandbox', () => {
  it('cannot reach what it reaches without the sandbox', async () => {
    const free = await intrude([process.execPath]);
    expect(visits).toBeGreaterThan(0);
    expect(free).toMatchObject({ 'read a secret': 'done', connect: 'done', datagram: 'done', 'write outside': 'done', 'start a program': 'done' });
    for (const name of ['mine', 'sub', 'linked', 'pointing', 'large']) await rm(join(folder, name), { recursive: true, force: true });

    visits = 0;
    const { environment, limits: found, ...tried } = await intrude(confined());
    expect(tried).toEqual({
      'write own folder': 'done',
      'make a folder in it': 'done',
      'read own folder': 'done',
      'read a secret': 'EACCES',
      'read the parent': 'EACCES',
      'read users': 'EACCES',
      'write outside': 'EACCES',
      'read what may be read': 'done',
      'write there': 'EACCES',
      'link outside': expect.stringMatching(/^(EXDEV|EACCES|EPERM)$/),
      'point outside': 'EACCES',
      connect: 'EPERM',
      'connect ipv6': 'EPERM',
      listen: 'EPERM',
      datagram: 'EPERM',
      resolve: expect.stringMatching(/^(EAI_AGAIN|ENOTFOUND|EAI_FAIL|EPERM|ECONNREFUSED)$/),
      'signal the parent': 'EPERM',
      'signal everyone': 'EPERM',
      'large file': 'EFBIG',
      'start a program': 'EACCES',
      privileges: '0000000000000000',
      fixed: '1',
    });
    expect(visits).toBe(0);
    expect(environment).toEqual(['LANG']);
    expect(found).toMatchObject({
      'Max file size': [String(16 * 1024 ** 2), String(16 * 1024 ** 2)],
      'Max cpu time': ['60', '65'],
      'Max core file size': ['0', '0'],
      'Max open files': ['4096', '4096'],
      'Max data size': [expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)],
    });
    expect(existsSync(join(root, 'theirs'))).toBe(true);
  }, 60_000);

  it('keeps access to its renamed folder and gets none to a replacement', async () => {
    const before = join(root, 'before');
    const after = join(root, 'after');
    mkdirSync(before);
    const script =
      'const {writeFileSync:w,existsSync:e}=require("fs");w(process.argv[1]+"/ready","");const t=setInterval(()=>{if(!e(process.argv[2]+"/go"))return;clearInterval(t);' +
      'for(const f of [process.argv[2],process.argv[1]])try{w(f+"/seen","");console.log("done")}catch(x){console.log(x.code)}},10)';
    const args = [
      ...sandboxCommand([process.execPath, '-e', script, before, after], { isRequired: true, limits, folder: before, readable: [], environment: {} }, 2),
    ];
    const child = spawn(sandboxLauncher() ?? '', args, { env: {}, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
    while (!existsSync(join(before, 'ready'))) await new Promise((resolve) => setTimeout(resolve, 10));
    spawnSync('mv', [before, after]);
    mkdirSync(before);
    writeFileSync(join(after, 'go'), '');
    let output = '';
    for await (const chunk of child.stdout) output += chunk;
    expect(output.trim().split('\n')).toEqual(['done', 'EACCES']);
  });

  it.each([
    ['what libcuda needs to start, where it is allowed', true],
    ['no socket and no thread names by default', false],
  ])('has %s', (_what, allowsCuda) => {
    const program = join(folder, 'cuda-start');
    execFileSync('cc', ['-o', program, join(fixtures, 'cuda-start.c'), '-lpthread']);
    const command = [program, join(folder, 'socket'), String(process.pid)];
    const rights = { readable: systemLibraryPaths, writable: [folder], devices: [], limits: { ...limits, descriptors: 64 } };
    const args = sandboxArguments({ command, isRequired: true, ...rights, allowsCuda });
    const { stdout, status } = spawnSync(sandboxLauncher() ?? '', args, { encoding: 'utf8' });
    expect(status).toBe(0);
    const permitted = allowsCuda ? 'done' : 'EPERM';
    expect(
      Object.fromEntries(
        stdout
          .trim()
          .split('\n')
          .map((line) => line.split('\t')),
      ),
    ).toEqual({
      'packet socket': permitted,
      bind: permitted,
      listen: permitted,
      'name a thread': allowsCuda ? 'done' : 'EACCES',
      'stream socket': 'EPERM',
      'datagram socket': 'EPERM',
      'raw socket': 'EPERM',
      'network socket': 'EPERM',
      'bind a path': allowsCuda ? 'EACCES' : 'EPERM',
      connect: 'EPERM',
      accept: 'EPERM',
      'name another process': 'EACCES',
      'change own limits': 'EACCES',
    });
  });

  it('inherits no open descriptor', async () => {
    const script =
      'console.log(JSON.stringify(require("fs").readdirSync("/proc/self/fd").map((n)=>{try{return require("fs").readlinkSync("/proc/self/fd/"+n)}catch{return ""}})))';
    const args = sandboxCommand([process.execPath, '-e', script], { isRequired: true, limits, folder, readable: [], environment: {} }, 2);
    const child = spawn('bash', ['-c', 'exec 7<"$0" 9<"$0"; exec "$@"', secret, sandboxLauncher() ?? '', ...args], {
      env: {},
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    for await (const chunk of child.stdout) output += chunk;
    expect(JSON.parse(output)).not.toContain(secret);
    expect(readFileSync(secret, 'utf8')).toBe('secret');
  });
});

describe('the launcher', () => {
  it('reports the available layers', () => {
    expect(layers.map(({ layer }) => layer)).toEqual(['landlock', 'seccomp', 'privileges', 'network']);
    for (const { on, detail } of layers) if (!on) expect(detail).not.toBe('');
  });

  it('refuses unknown options and a missing program', () => {
    const run = (...args: string[]) => spawnSync(sandboxLauncher() ?? '', args, { encoding: 'utf8' });
    expect(run('--sideways', '--', '/bin/true')).toMatchObject({ status: 2, stderr: expect.stringContaining('usage') });
    expect(run('--confine')).toMatchObject({ status: 2 });
    expect(run('--', '/nowhere/at/all')).toMatchObject({ status: 127, stderr: expect.stringContaining('No such file') });
  });
});
