import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The real servers that the tests start, whose code is TypeScript. */
export async function loadServers() {
  const folder = await mkdtemp(join(root, 'build', 'bench-servers-'));
  try {
    const bundle = await rolldown({
      input: Object.fromEntries(['postgres-server', 's3-server', 'redis-server'].map((name) => [name, join(root, 'test', 'support', `${name}.ts`)])),
      platform: 'node',
      external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    });
    await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
    await bundle.close();
    const load = (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href);
    const [{ createPostgresServer }, { startS3Server }, { startRedisServer }] = await Promise.all([
      load('postgres-server'),
      load('s3-server'),
      load('redis-server'),
    ]);
    return { createPostgresServer, startS3Server, startRedisServer };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
