import { describe, expect, it } from 'vitest';
import { findCycles, ownerOf, reachableFrom, readSource } from './source-files.js';
import { importEdges, imports, typescriptFiles } from './typescript-imports.js';

/** The house's table: what each folder of src/ may import besides itself. Files directly below src/ are wiring. */
const mayImport: Record<string, string[]> = {
  errors: [],
  config: ['errors'],
  db: ['errors', 'config'],
  outbound: ['errors', 'config'],
  compiled: [],
  client: [],
  import: [],
  movie: ['errors', 'compiled'],
  timeline: ['errors', 'movie'],
  engine: ['errors', 'config', 'programs'],
  'encoder-bench': ['errors', 'programs', 'timeline'],
  storage: ['errors', 'config', 'outbound'],
  cache: ['programs'],
  programs: [],
  assets: ['errors', 'config', 'outbound', 'engine'],
  packs: ['errors', 'movie'],
  sprites: ['errors', 'config', 'cache', 'outbound', 'programs', 'movie', 'packs'],
  voice: ['errors', 'config', 'outbound', 'programs'],
  generation: ['errors', 'config', 'outbound', 'cache'],
  subtitles: ['errors', 'config', 'outbound', 'programs', 'movie', 'sprites', 'timeline'],
  accounts: ['errors', 'config', 'db'],
  jobs: ['errors', 'config', 'programs', 'db', 'accounts', 'movie'],
  render: [
    'cache',
    'movie',
    'timeline',
    'assets',
    'packs',
    'sprites',
    'subtitles',
    'voice',
    'generation',
    'engine',
    'storage',
    'jobs',
    'outbound',
    'errors',
    'config',
  ],
  preview: ['errors', 'programs'],
  views: ['errors', 'movie', 'timeline', 'assets', 'engine', 'sprites', 'subtitles', 'voice', 'generation', 'render', 'preview'],
  exports: ['errors', 'config', 'outbound', 'movie'],
  templates: ['errors', 'config', 'db', 'accounts', 'movie'],
  webhooks: ['errors', 'config', 'db', 'outbound', 'jobs'],
  handover: ['db', 'movie', 'storage', 'jobs', 'exports'],
  operations: ['accounts', 'jobs'],
  redis: ['accounts', 'jobs'],
  farm: ['config', 'db', 'cache', 'storage', 'accounts', 'jobs'],
  retention: ['accounts', 'jobs', 'storage'],
  http: ['operations', 'errors', 'config', 'movie', 'jobs', 'accounts', 'storage', 'webhooks', 'exports', 'handover', 'templates', 'preview'],
  cli: [
    'errors',
    'import',
    'compiled',
    'programs',
    'config',
    'db',
    'accounts',
    'jobs',
    'webhooks',
    'exports',
    'handover',
    'movie',
    'packs',
    'timeline',
    'cache',
    'assets',
    'sprites',
    'subtitles',
    'voice',
    'generation',
    'engine',
    'encoder-bench',
    'render',
    'storage',
    'outbound',
    'operations',
    'http',
    'redis',
    'farm',
  ],
  // The page, built apart: it knows the service by its public interface.
  studio: [],
  setup: [],
  'main.ts': ['app.ts', 'errors', 'config'],
  'app.ts': [
    'errors',
    'programs',
    'config',
    'db',
    'outbound',
    'movie',
    'packs',
    'storage',
    'accounts',
    'jobs',
    'webhooks',
    'exports',
    'handover',
    'http',
    'templates',
    'generation',
    'operations',
    'redis',
    'farm',
    'retention',
    'preview',
  ],
  'preview-worker.ts': ['compiled', 'preview-drawer.ts'],
  'preview-drawer.ts': ['errors', 'config', 'outbound', 'movie', 'packs', 'engine', 'assets', 'sprites', 'voice', 'generation', 'render', 'preview', 'views'],
  'worker.ts': ['compiled', 'render-worker.ts'],
  'render-worker.ts': [
    'cache',
    'errors',
    'config',
    'outbound',
    'movie',
    'packs',
    'timeline',
    'engine',
    'storage',
    'assets',
    'sprites',
    'subtitles',
    'voice',
    'generation',
    'jobs',
    'render',
  ],
};

/** npm packages with one door each: where they may be imported. */
const doors: Array<{ name: string; packages: RegExp; allowed: RegExp }> = [
  { name: 'Kysely', packages: /^kysely/, allowed: /^src\/(db\/|[^/]+\/([a-z-]+-)?(store|rows|ledger|rate-limit)\.ts$)/ },
  { name: 'Redis', packages: /^(ioredis|bullmq)$/, allowed: /^src\/(redis\/|farm\/(farm-queue|held)\.ts$)/ },
  { name: 'PostgreSQL', packages: /^pg$/, allowed: /^src\/db\// },
  { name: 'SQLite', packages: /^better-sqlite3$/, allowed: /^src\/db\// },
  { name: 'Fastify', packages: /^(fastify|@fastify\/.*|fastify-plugin)$/, allowed: /^src\/(http\/|app\.ts$)/ },
  { name: 'undici', packages: /^undici$/, allowed: /^src\/outbound\// },
  { name: 'the address parser', packages: /^ipaddr\.js$/, allowed: /^src\/(outbound|config)\// },
  { name: 'Skia', packages: /^(@napi-rs\/canvas|skia-canvas)$/, allowed: /^src\/(sprites\/|cli\/demo\/|cli\/packs\/)/ },
  { name: 'Chromium', packages: /^puppeteer/, allowed: /^src\/sprites\/html\// },
  { name: 'the Prometheus client', packages: /^prom-client$/, allowed: /^src\/operations\// },
  { name: 'the language detector', packages: /^tinyld/, allowed: /^src\/voice\// },
  { name: 'sherpa-onnx', packages: /^sherpa-onnx/, allowed: /^src\/(voice|subtitles\/speech)\/sherpa\// },
  { name: 'commander', packages: /^commander$/, allowed: /^src\/cli\// },
  { name: 'file transfer and mail', packages: /^(@aws-sdk\/|basic-ftp$|ssh2$|nodemailer$)/, allowed: /^src\/(storage|exports)\// },
  { name: 'the AWS client', packages: /^@(aws-sdk|smithy)\//, allowed: /^src\/(exports\/targets|storage)\// },
  { name: 'FTP, SFTP and mail clients', packages: /^(basic-ftp|ssh2|nodemailer)$/, allowed: /^src\/exports\/targets\// },
  { name: 'the page’s framework and editor', packages: /^(preact|@preact\/|@codemirror\/|@lezer\/)/, allowed: /^src\/studio\// },
  { name: 'the layout engine', packages: /^yoga-layout/, allowed: /^src\/sprites\/boxes\// },
  { name: 'ajv', packages: /^ajv/, allowed: /^src\/(movie|packs|http)\// },
];

describe('the layers of src/', () => {
  it('looks at real files', () => {
    expect(typescriptFiles.length).toBeGreaterThan(50);
    expect(importEdges.length).toBeGreaterThan(100);
  });

  it('import only what the table allows', () => {
    const wrong = importEdges.filter(({ from, to }) => ownerOf(from) !== ownerOf(to) && !mayImport[ownerOf(from)]?.includes(ownerOf(to)));
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('has a row for every folder', () => {
    expect([...new Set(typescriptFiles.map(ownerOf))].filter((owner) => mayImport[owner] === undefined)).toEqual([]);
  });

  it('reach other folders through their index alone', () => {
    // What the service says to its processes, and they to it, is types alone; the jobs' index would bring the database along.
    const contracts = ['src/jobs/worker-protocol.ts', 'src/preview/preview-protocol.ts'];
    const isPublic = (path: string): boolean => path === `src/${ownerOf(path)}/index.ts` || contracts.includes(path);
    const deep = importEdges.filter(({ from, to }) => to.split('/').length > 2 && ownerOf(from) !== ownerOf(to) && !isPublic(to));
    expect(deep.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('import no file in a circle', () => {
    expect(findCycles(importEdges).map((cycle) => cycle.join(' → '))).toEqual([]);
  });

  it('keep renders out of the service: from main.ts, app.ts and http nothing leads to the engine or to media', () => {
    const starts = typescriptFiles.filter((path) => ['src/main.ts', 'src/app.ts'].includes(path) || path.startsWith('src/http/'));
    expect(starts.length).toBeGreaterThan(0);
    for (const start of starts) {
      const led = [...reachableFrom(start, importEdges)].filter((path) => ['engine', 'render', 'assets', 'sprites', 'voice'].includes(ownerOf(path)));
      expect(led, start).toEqual([]);
    }
  });

  it.each(doors)('import $name only behind its door', ({ packages, allowed }) => {
    const wrong = imports.filter(({ file, specifier }) => packages.test(specifier) && !allowed.test(file));
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it('load the addon in src/engine alone', () => {
    const loading = typescriptFiles.filter((path) => /\.node['"`]/.test(readSource(path)) || /process\.dlopen/.test(readSource(path)));
    expect(loading.filter((path) => ownerOf(path) !== 'engine')).toEqual([]);
  });

  it('read the environment in src/config alone', () => {
    expect(typescriptFiles.filter((path) => ownerOf(path) !== 'config' && /\bprocess\.env\b/.test(readSource(path)))).toEqual([]);
  });

  it('have no default exports', () => {
    expect(typescriptFiles.filter((path) => /^export default/m.test(readSource(path)))).toEqual([]);
  });
});
