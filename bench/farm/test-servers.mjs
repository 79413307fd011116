import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../../', import.meta.url));

const names = ['postgres-server', 's3-server', 'redis-server'];

/** The functions that start real servers for the tests, compiled from TypeScript; `wanted` limits them to some modules of `test/support`. */
export async function loadServers(wanted = names) {
  await mkdir(join(root, 'build'), { recursive: true });
  const folder = await mkdtemp(join(root, 'build', 'bench-servers-'));
  try {
    const bundle = await rolldown({
      input: Object.fromEntries(wanted.map((name) => [name, join(root, 'test', 'support', `${name}.ts`)])),
      platform: 'node',
      external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    });
    await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
    await bundle.close();
    const modules = await Promise.all(wanted.map((name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href)));
    return Object.assign({}, ...modules);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
