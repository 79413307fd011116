import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineProcess, startEngineProcess } from '../../../src/engine/index.js';
import { startTestEngine } from '../../support/engine-process.js';
import { writeHostileMedia } from '../../support/hostile-media.js';
import { timelineOf } from '../../support/timelines.js';

const root = mkdtempSync(join(tmpdir(), 'framewright-hostile-'));
const folder = join(root, 'job');
const bait = join(root, 'bait.mp4');
let names: string[];

/** Files of the machine and the program, which media cannot name. */
const harmless = [
  // Open files, memory and cores.
  /^\/proc\/self\//,
  /^\/proc\/(meminfo|cpuinfo|stat|sys\/vm\/overcommit_memory)$/,
  /^\/sys\/(devices\/system\/(cpu|node)|fs\/cgroup)\b/,
  // Plugins of decoders and encoders.
  /^\/(usr\/)?lib(64)?\/.*\.so(\.\d+)*$/,
  /^\/etc\/(ld\.so\.cache|localtime)$/,
  /^\/dev\/(null|u?random)$/,
  // Detection of graphics devices.
  /^\/dev\/dri$/,
];

interface Trace {
  /** Paths outside the job's folder that the engine tried to open. */
  outside: string[];
  /** Other system calls that would escape the sandbox. */
  reaching: string[];
  inside: number;
}

beforeAll(async () => {
  await mkdir(folder);
  const whole = spawnSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=10:d=1', '-c:v', 'libx264', bait]);
  expect(whole.status).toBe(0);
  names = await writeHostileMedia(folder, { path: bait });
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function watchCalls(engine: EngineProcess, work: () => Promise<void>): Promise<Trace> {
  const log = join(root, 'calls');
  // After a first response, everything that the engine loads at startup is loaded.
  await engine.probe(join(folder, 'whole.mp4'));
  const calls = 'open,openat,openat2,creat,socket,connect,execve,execveat,link,linkat,symlink,symlinkat,rename,renameat,renameat2,ptrace,mount';
  const strace = spawn('strace', ['-f', '-qq', '-p', String(engine.pid), '-e', `trace=${calls}`, '-s', '4096', '-o', log], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await attached(engine.pid ?? 0);
  await work();
  await ended(strace);
  const lines = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => /^\d+ +[a-z]/.test(line));
  const opens = lines.filter((line) => /^\d+ +(open|openat|openat2|creat)\(/.test(line)).map((line) => /"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? line);
  return {
    inside: opens.filter((path) => path.startsWith(`${folder}/`)).length,
    outside: opens.filter((path) => !path.startsWith(`${folder}/`) && !harmless.some((pattern) => pattern.test(path))),
    reaching: lines.filter((line) => !/^\d+ +(open|openat|openat2|creat)\(/.test(line)).filter((line) => !line.includes(`"${folder}/`)),
  };
}

async function attached(pid: number): Promise<void> {
  for (let i = 0; i < 500; i++) {
    if (!/^TracerPid:\s+0$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('strace did not attach');
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGINT');
  });
}

/** Everything that a render may do with a file of any type. */
async function useAll(engine: EngineProcess): Promise<string[]> {
  const understood: string[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const answers = await Promise.allSettled([
      engine.probe(path),
      engine.composeFrame(timelineOf({ kind: 'image', path }), 0),
      engine.composeFrame(timelineOf({ kind: 'video', path }), 3),
      engine.extractSound(path, join(folder, 'sound.wav'), 16_000),
      engine.renderSegment(timelineOf({ kind: 'video', path }), { first: 0, end: 10 }, join(folder, `${name}.nut`)),
      engine.renderAudio(timelineOf({ kind: 'audio', path }), join(folder, `${name}.sound.nut`)),
    ]);
    if (answers[0].status === 'fulfilled') understood.push(name);
  }
  return understood;
}

const canTrace = spawnSync('strace', ['-V']).status === 0;

describe.skipIf(!canTrace)('hostile media', () => {
  it.each(['auto', 'off'] as const)(
    'lead the engine to no file but their own, with the sandbox %s',
    async (mode) => {
      const engine = startTestEngine(folder, { mode });
      try {
        let understood: string[] = [];
        const trace = await watchCalls(engine, async () => {
          understood = await useAll(engine);
        });
        expect(trace.outside).toEqual([]);
        expect(trace.reaching).toEqual([]);
        // The trace has recorded calls, and valid media was opened.
        expect(trace.inside).toBeGreaterThan(names.length);
        expect(understood).toEqual(expect.arrayContaining(['whole.mp4', 'attached.mkv', 'linked.mp3']));
        expect(understood.filter((name) => !/\.(mov|mkv|mp3)$|^whole/.test(name))).toEqual([]);
      } finally {
        await engine.close();
      }
    },
    120_000,
  );

  it('the trace detects access to an outside file (checks the check itself)', async () => {
    const engine = startEngineProcess({ mode: 'off', folder, readable: [], limits: { memoryMb: 4096, cpuSeconds: 3600, fileMb: 4096 }, environment: {} });
    try {
      const trace = await watchCalls(engine, async () => {
        await engine.probe(bait);
      });
      expect(trace.outside).toContain(bait);
    } finally {
      await engine.close();
    }
  });
});

describe('a file that is not media', () => {
  it.each([
    ['playlist.mp4', 'hls'],
    ['master.mp4', 'hls'],
    ['concat.mp4', 'concat'],
    ['dash.mp4', 'dash'],
    ['session.sdp', 'sdp'],
    ['picture.svg', 'svg'],
    ['declared.svg', 'svg'],
    ['paper.pdf', 'pdf'],
    ['page.eps', 'postscript'],
    ['plain.m3u', 'hls'],
    ['list.pls', 'pls'],
    ['list.xspf', 'xspf'],
    ['windows.asx', 'asx'],
    ['metadata.mp4', 'ffmetadata'],
    ['subtitles.srt', 'srt'],
    ['subtitles.vtt', 'webvtt'],
    ['subtitles.ass', 'ass'],
    ['phone.heif', 'heif'],
  ])('%s is refused by name: %s', async (name, format) => {
    const engine = startTestEngine(folder);
    try {
      await expect(engine.probe(join(folder, name))).rejects.toMatchObject({
        code: 'RENDER_FAILED',
        message: expect.stringMatching(new RegExp(`the format ${format} is not supported; allowed: `)),
      });
    } finally {
      await engine.close();
    }
  });
});

it('the engine cannot open a file outside the job folder', async () => {
  const engine = startTestEngine(folder);
  const secret = join(root, 'secret.mp4');
  writeFileSync(secret, readFileSync(bait));
  try {
    await expect(engine.probe(secret)).rejects.toMatchObject({ message: expect.stringContaining('Permission denied') });
    await expect(engine.renderSegment(timelineOf({ kind: 'video', path: bait }), { first: 0, end: 1 }, join(root, 'out.nut'))).rejects.toBeInstanceOf(Error);
  } finally {
    await engine.close();
  }
});
