import { spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkSandbox } from '../../../../src/engine/child-processes/index.js';
import { at30, openTestHtmlSprites, pageOf } from '../../../support/html-sprites.js';

const hasOwnNetwork = (await checkSandbox()).some(({ layer, on }) => layer === 'network' && on);
const isRoot = process.getuid?.() === 0;
const canBecomeAnother = isRoot && spawnSync('setpriv', ['--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath, '-e', '0']).status === 0;
const drawsHtml = fileURLToPath(new URL('../../../fixtures/workers/draws-html.mjs', import.meta.url));

interface Member {
  pid: number;
  command: string;
  status: string;
}

function membersOf(group: number): Member[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const of = (file: string): string => readFileSync(`/proc/${name}/${file}`, 'utf8');
        const belongs = of('stat').split(') ')[1]?.split(' ')[2] === String(group);
        return belongs && !/^State:\s+Z/m.test(of('status')) ? [{ pid: Number(name), command: of('cmdline').replaceAll('\0', ' '), status: of('status') }] : [];
      } catch {
        return [];
      }
    });
}

describe('Chromium', () => {
  it.skipIf(!hasOwnNetwork)('has a network namespace in which there is nothing', async () => {
    await using bench = await openTestHtmlSprites();
    await bench.sprites.draw(pageOf('x'), at30(1));
    const members = membersOf(bench.sprites.processId ?? 0).filter(({ command }) => command.includes('--type='));
    expect(members.length).toBeGreaterThan(1);
    const own = readlinkSync('/proc/self/ns/net');
    for (const { pid } of members) {
      expect(readlinkSync(`/proc/${pid}/ns/net`)).not.toBe(own);
      expect(readFileSync(`/proc/${pid}/net/dev`, 'utf8').match(/^\s*(?!lo:)\w+:/gm)).toBeNull();
    }
  });

  it('sends nothing past the door by datagrams either', async () => {
    let packets = 0;
    const canary = createSocket('udp4', () => {
      packets += 1;
    });
    await new Promise<void>((resolve) => canary.bind(0, '127.0.0.1', resolve));
    const there = `127.0.0.1:${canary.address().port}`;
    await using bench = await openTestHtmlSprites();
    const html = `<script>
      for (const urls of ['stun:${there}', 'stun:localhost:${canary.address().port}']) {
        const p = new RTCPeerConnection({ iceServers: [{ urls }] });
        p.createDataChannel('x');
        p.createOffer().then((o) => p.setLocalDescription(o));
      }
      const p = new RTCPeerConnection({ iceServers: [{ urls: 'turn:${there}?transport=udp', username: 'a', credential: 'b' }] });
      p.createDataChannel('x');
      p.createOffer().then((o) => p.setLocalDescription(o));
      try { const t = new WebTransport('https://${there}/x'); t.ready.catch(() => {}); t.closed.catch(() => {}); } catch {}
    </script>`;
    await bench.sprites.draw(pageOf(html, { wait: 1 }), at30(1));
    expect(packets).toBe(0);
    canary.close();
  });

  it.skipIf(isRoot && !canBecomeAnother)("has its own sandbox on when it is not root's", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'framewright-user-'));
    chmodSync(folder, 0o777);
    const another = isRoot ? ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath] : [process.execPath];
    const [program = '', ...args] = [...another, drawsHtml, folder];
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, HOME: folder } });
    let browser: number | undefined;
    try {
      const group = await new Promise<number>((resolve) => child.stdout.once('data', (text) => resolve(Number(text))));
      browser = group;
      const sandboxes = (): boolean[] =>
        membersOf(group)
          .filter(({ command }) => command.includes('--type=renderer'))
          .map(({ status }) => /^Seccomp:\s+2$/m.test(status) && /^NoNewPrivs:\s+1$/m.test(status));
      // The browser is there before its first page is.
      await expect.poll(() => sandboxes().length > 0 && sandboxes().every((on) => on), { timeout: 20_000 }).toBe(true);
    } finally {
      child.kill('SIGKILL');
      // Chromium writes to its profile until it has ended.
      if (browser !== undefined) await expect.poll(() => membersOf(browser as number), { timeout: 10_000 }).toEqual([]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    }
  });

  it('ends as a whole group with its render process, also when it stands still', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'framewright-stopped-'));
    const child = spawn(process.execPath, [drawsHtml, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    const browser = await new Promise<number>((resolve) => child.stdout.once('data', (text) => resolve(Number(text))));
    await expect.poll(() => membersOf(browser).length, { timeout: 20_000 }).toBeGreaterThan(3);
    const members = membersOf(browser);
    for (const { pid } of members) process.kill(pid, 'SIGSTOP');
    child.kill('SIGKILL');
    await expect.poll(() => membersOf(browser), { timeout: 2000 }).toEqual([]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });
});
