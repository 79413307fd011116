import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportClock, ExportFile, ExportOptions } from '../../../../src/delivery/exports/index.js';
import { createOutbound, type Outbound } from '../../../../src/outbound/index.js';

/** A clock whose waits take no time and are recorded; the budget of 5 minutes never runs out. */
export class SwiftClock implements ExportClock {
  readonly slept: number[] = [];

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (ms >= 60_000) await once(signal, 'abort').catch(() => {});
    else this.slept.push(ms);
  }
}

/** Allows deliveries to this machine, like the setting of an operator. */
export function localParts(overrides: Partial<ExportOptions> = {}): ExportOptions & { outbound: Outbound; clock: SwiftClock } {
  return {
    outbound: createOutbound({ allowPrivateHosts: ['127.0.0.1'] }),
    mail: undefined,
    youtube: { apiUrl: 'http://127.0.0.1:9', tokenUrl: 'http://127.0.0.1:9/token' },
    idleMs: 5_000,
    ...overrides,
    clock: new SwiftClock(),
  } as ExportOptions & { outbound: Outbound; clock: SwiftClock };
}

export interface Folder {
  path: string;
  remove(): Promise<void>;
}

export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'exports-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A file without repetition, so that a lost or doubled piece is visible. */
export async function makeFile(folder: string, sizeBytes: number, name = 'b5e1c1de.mp4'): Promise<ExportFile & { sha256: string }> {
  const path = join(folder, `source-${name}`);
  const out = createWriteStream(path);
  const hash = createHash('sha256');
  let state = 1;
  for (let written = 0; written < sizeBytes; ) {
    const chunk = Buffer.alloc(Math.min(1 << 20, sizeBytes - written));
    for (let at = 0; at < chunk.length; at += 1) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      chunk[at] = state >>> 24;
    }
    hash.update(chunk);
    out.write(chunk);
    written += chunk.length;
  }
  out.end();
  await once(out, 'close');
  const job = { id: '6f0e7c1a-1111-4222-8333-944444444444', width: 1920, height: 1080, durationSeconds: 12.5, scriptId: 'spring', clientData: { order: 7 } };
  const downloadUrl = `https://films.example.com/outputs/${name}`;
  return {
    path,
    mimeType: 'video/mp4',
    sizeBytes,
    name,
    downloadUrl,
    seed: name,
    completedAtMs: Date.UTC(2031, 1, 3, 4, 5, 6),
    job,
    sha256: hash.digest('hex'),
  };
}

/** An output of several files: a playlist of one track. */
export async function makeStream(folder: string): Promise<ExportFile & { sums: Record<string, string> }> {
  const names = ['stream-360p.mp4', 'stream.m3u8'];
  const files = await Promise.all(names.map((name, index) => makeFile(folder, 700_000 - 690_000 * index, name)));
  const parts = files.map(({ path, sizeBytes }, index) => ({ path, sizeBytes, name: names[index] ?? '', mimeType: 'application/octet-stream' }));
  const [track, playlist] = files;
  if (track === undefined || playlist === undefined) throw new Error('two files were made');
  return { ...playlist, name: 'b5e1c1de-live', parts, sums: Object.fromEntries(files.map(({ sha256 }, index) => [names[index], sha256])) };
}

/** Hashes of the files of a folder by name. */
export async function sumsOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort();
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, sha256Of(await readFile(join(folder, name)))])));
}

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export interface RawServer {
  port: number;
  connections: number;
  close(): Promise<void>;
}

/** A server that accepts connections and only calls `meet`, which does nothing by default. */
export async function startRawServer(meet: (socket: Socket) => void = () => {}): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    raw.connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    meet(socket);
  });
  const raw: RawServer = {
    port: await listen(server),
    connections: 0,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return raw;
}

export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A port without a listener. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  return port;
}
