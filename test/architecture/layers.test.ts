import { describe, expect, it } from 'vitest';
import { findCycles, ownerOf, reachableFrom, readSource } from './source-files.js';
import { importEdges, imports, typescriptFiles } from './typescript-imports.js';

/**
 * What each room of src/ may import besides itself. A room is a folder below src/, or a folder inside one that has
 * its own index and its own rights; the longest name that fits owns a file. Files directly below src/ are wiring.
 */
const mayImport: Record<string, string[]> = {
  // Types alone, for every room.
  contract: [],
  errors: [],
  config: ['errors'],
  'config/precompiled': [],
  db: ['errors', 'config'],
  outbound: ['errors', 'config'],
  'engine/child-processes': [],
  'storage/cache': ['engine/child-processes'],
  client: [],
  script: ['errors', 'config/precompiled'],
  'script/import': [],
  timeline: ['errors', 'script'],
  engine: ['errors', 'config', 'engine/child-processes'],
  storage: ['errors', 'config', 'outbound'],
  'render/assets': ['errors', 'config', 'outbound', 'engine'],
  'graphics/components': ['errors', 'script'],
  graphics: ['errors', 'config', 'storage/cache', 'outbound', 'engine/child-processes', 'script', 'timeline', 'graphics/components', 'providers/transcription'],
  'providers/speech': ['errors', 'config', 'outbound', 'engine/child-processes'],
  'providers/generation': ['errors', 'config', 'outbound', 'storage/cache'],
  'providers/pricing': ['config', 'script', 'providers/generation'],
  'providers/transcription': ['errors', 'config', 'outbound', 'engine/child-processes'],
  accounts: ['errors', 'config', 'db'],
  jobs: ['errors', 'config', 'engine/child-processes', 'db', 'accounts', 'script'],
  'jobs/retention': ['accounts', 'jobs', 'storage'],
  render: [
    'storage/cache',
    'script',
    'timeline',
    'render/assets',
    'graphics/components',
    'graphics',
    'providers/speech',
    'providers/generation',
    'providers/transcription',
    'engine',
    'storage',
    'jobs',
    'outbound',
    'errors',
    'config',
  ],
  preview: ['errors', 'engine/child-processes', 'accounts'],
  'preview/drawing': [
    'errors',
    'config',
    'config/precompiled',
    'outbound',
    'script',
    'timeline',
    'engine',
    'render/assets',
    'graphics/components',
    'graphics',
    'providers/speech',
    'providers/generation',
    'providers/transcription',
    'render',
    'preview',
  ],
  'delivery/exports': ['errors', 'config', 'outbound', 'script'],
  'delivery/webhooks': ['errors', 'config', 'db', 'outbound', 'jobs'],
  'delivery/outbox': ['errors', 'db', 'outbound', 'script', 'storage', 'jobs', 'delivery/exports', 'delivery/webhooks'],
  'http/operations': ['accounts', 'jobs'],
  'distributed/redis': ['accounts', 'jobs'],
  distributed: ['config', 'db', 'storage/cache', 'storage', 'accounts', 'jobs'],
  http: ['http/operations', 'errors', 'config', 'script', 'jobs', 'accounts', 'storage', 'delivery/webhooks', 'delivery/exports', 'delivery/outbox', 'preview'],
  // Runs before anything is built: plain JavaScript.
  'cli/setup': [],
  cli: [
    'errors',
    'script/import',
    'config/precompiled',
    'engine/child-processes',
    'config',
    'db',
    'accounts',
    'jobs',
    'delivery/webhooks',
    'delivery/exports',
    'delivery/outbox',
    'script',
    'graphics/components',
    'timeline',
    'storage/cache',
    'render/assets',
    'graphics',
    'providers/speech',
    'providers/generation',
    'providers/pricing',
    'providers/transcription',
    'engine',
    'render',
    'storage',
    'outbound',
    'http/operations',
    'http',
    'distributed/redis',
    'distributed',
  ],
  // The page, built apart: it knows the service by its public interface.
  studio: [],
  'main.ts': ['app.ts', 'accounts', 'errors', 'config'],
  'app.ts': [
    'errors',
    'engine/child-processes',
    'config',
    'db',
    'outbound',
    'script',
    'graphics/components',
    'storage',
    'accounts',
    'jobs',
    'delivery/webhooks',
    'delivery/exports',
    'delivery/outbox',
    'http',
    'providers/generation',
    'providers/pricing',
    'http/operations',
    'distributed/redis',
    'distributed',
    'jobs/retention',
    'preview',
  ],
  'worker.ts': ['config/precompiled', 'render-worker.ts'],
  'render-worker.ts': [
    'storage/cache',
    'errors',
    'config',
    'outbound',
    'script',
    'graphics/components',
    'timeline',
    'engine',
    'storage',
    'render/assets',
    'graphics',
    'providers/speech',
    'providers/generation',
    'providers/pricing',
    'providers/transcription',
    'jobs',
    'render',
  ],
};

const rooms = Object.keys(mayImport).sort((a, b) => b.length - a.length);

/** The room that owns a file of src/. */
const roomOf = (path: string): string => rooms.find((room) => path === `src/${room}` || path.startsWith(`src/${room}/`)) ?? ownerOf(path);

/** npm packages with one door each: where they may be imported. */
const doors: Array<{ name: string; packages: RegExp; allowed: RegExp }> = [
  { name: 'Kysely', packages: /^kysely/, allowed: /^src\/(db\/|([^/]+\/)+([a-z-]+-)?(store|rows|ledger|rate-limit)\.ts$)/ },
  { name: 'Redis', packages: /^ioredis$/, allowed: /^src\/distributed\/redis\// },
  { name: 'PostgreSQL', packages: /^pg$/, allowed: /^src\/db\// },
  { name: 'SQLite', packages: /^better-sqlite3$/, allowed: /^src\/db\// },
  { name: 'Fastify', packages: /^(fastify|@fastify\/.*|fastify-plugin)$/, allowed: /^src\/(http\/|app\.ts$)/ },
  { name: 'undici', packages: /^undici$/, allowed: /^src\/outbound\// },
  { name: 'the address parser', packages: /^ipaddr\.js$/, allowed: /^src\/(outbound|config)\// },
  { name: 'Skia', packages: /^(@napi-rs\/canvas|skia-canvas)$/, allowed: /^src\/(graphics\/|cli\/demo\/|cli\/packs\/)/ },
  { name: 'Chromium', packages: /^puppeteer/, allowed: /^src\/graphics\/html\// },
  { name: 'the Prometheus client', packages: /^prom-client$/, allowed: /^src\/http\/operations\// },
  { name: 'the language detector', packages: /^tinyld/, allowed: /^src\/providers\/speech\// },
  { name: 'sherpa-onnx', packages: /^sherpa-onnx/, allowed: /^src\/providers\/(speech|transcription)\/sherpa\// },
  { name: 'commander', packages: /^commander$/, allowed: /^src\/cli\// },
  { name: 'file transfer and mail', packages: /^(@aws-sdk\/|basic-ftp$|ssh2$|nodemailer$)/, allowed: /^src\/(storage|delivery\/exports)\// },
  { name: 'the AWS client', packages: /^@(aws-sdk|smithy)\//, allowed: /^src\/(delivery\/exports\/targets|storage)\// },
  { name: 'FTP, SFTP and mail clients', packages: /^(basic-ftp|ssh2|nodemailer)$/, allowed: /^src\/delivery\/exports\/targets\// },
  { name: 'the page’s framework and editor', packages: /^(preact|@preact\/|@codemirror\/|@lezer\/)/, allowed: /^src\/studio\// },
  { name: 'the layout engine', packages: /^yoga-layout/, allowed: /^src\/graphics\/boxes\// },
  { name: 'ajv', packages: /^ajv/, allowed: /^src\/(script|graphics\/components|http)\// },
];

describe('the layers of src/', () => {
  it('consist of existing files', () => {
    expect(typescriptFiles.length).toBeGreaterThan(50);
    expect(importEdges.length).toBeGreaterThan(100);
  });

  it('import only the rooms that the table allows', () => {
    const wrong = importEdges.filter(
      ({ from, to }) => roomOf(from) !== roomOf(to) && roomOf(to) !== 'contract' && !mayImport[roomOf(from)]?.includes(roomOf(to)),
    );
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('have a row in the table for every folder', () => {
    expect([...new Set(typescriptFiles.map(roomOf))].filter((owner) => mayImport[owner] === undefined)).toEqual([]);
  });

  it('import other folders only through their index', () => {
    // What the service says to its processes, and they to it, is types alone; the jobs' index would bring the database along.
    const contracts = ['src/jobs/worker-protocol.ts', 'src/preview/preview-protocol.ts'];
    const isPublic = (path: string): boolean => path === `src/${roomOf(path)}/index.ts` || contracts.includes(path);
    const deep = importEdges.filter(({ from, to }) => to.split('/').length > 2 && roomOf(from) !== roomOf(to) && !isPublic(to));
    expect(deep.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('have no import cycle', () => {
    expect(findCycles(importEdges).map((cycle) => cycle.join(' → '))).toEqual([]);
  });

  it('keep the engine and media out of main.ts, app.ts and http', () => {
    const starts = typescriptFiles.filter((path) => ['src/main.ts', 'src/app.ts'].includes(path) || path.startsWith('src/http/'));
    expect(starts.length).toBeGreaterThan(0);
    for (const start of starts) {
      const led = [...reachableFrom(start, importEdges)].filter((path) =>
        ['engine', 'render', 'render/assets', 'graphics', 'providers/speech'].includes(roomOf(path)),
      );
      expect(led, start).toEqual([]);
    }
  });

  it.each(doors)('import $name only in its own room', ({ packages, allowed }) => {
    const wrong = imports.filter(({ file, specifier }) => packages.test(specifier) && !allowed.test(file));
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it('load the addon only in src/engine', () => {
    const loading = typescriptFiles.filter((path) => /\.node['"`]/.test(readSource(path)) || /process\.dlopen/.test(readSource(path)));
    expect(loading.filter((path) => roomOf(path) !== 'engine')).toEqual([]);
  });

  it('uses sandboxed engine processes: only tests load the addon into their own process', () => {
    expect(typescriptFiles.filter((path) => roomOf(path) !== 'engine' && /\bcreateEngine\b/.test(readSource(path)))).toEqual([]);
  });

  it('read the environment only in src/config', () => {
    expect(typescriptFiles.filter((path) => roomOf(path) !== 'config' && /\bprocess\.env\b/.test(readSource(path)))).toEqual([]);
  });

  it('have no default exports', () => {
    expect(typescriptFiles.filter((path) => /^export default/m.test(readSource(path)))).toEqual([]);
  });
});
