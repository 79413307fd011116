import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server that keeps every second's writes, as a farm's would. */
export async function startRedis() {
  const folder = await mkdtemp(join(tmpdir(), 'framewright-farm-bench-'));
  const port = await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec', '--dir', folder];
  const child = spawn('redis-server', options, { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Seconds of processor time that Redis has used. */
export async function cpuOf(client) {
  const text = await client.info('cpu');
  return ['used_cpu_sys', 'used_cpu_user'].reduce((sum, name) => sum + Number(new RegExp(`${name}:([\\d.]+)`).exec(text)?.[1] ?? 0), 0);
}

export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  return { best: at(0.1), median: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) };
}

export function round(value) {
  return Math.round(value * 100) / 100;
}
