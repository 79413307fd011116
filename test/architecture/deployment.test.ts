import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const dockerfile = readFileSync('Dockerfile.gpu', 'utf8');
/** Without comments, each instruction on one line. */
const instructions = dockerfile
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .map((line) => line.replace(/\s+/g, ' ').trim())
  .filter((line) => line !== '');
const stages = instructions
  .join('\n')
  .split(/^FROM /m)
  .slice(1);
const [built = '', run = ''] = stages;
const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');

describe('Dockerfile.gpu', () => {
  it('is well-formed', () => {
    expect(validate(dockerfile).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`)).toEqual([]);
    expect(stages).toHaveLength(2);
  });

  it('copies only files that exist', () => {
    const sources = [...built.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, files = '']) => files.split(' '));
    expect(sources.length).toBeGreaterThan(5);
    const missing = sources.filter((source) => !tracked.some((file) => file === source || file.startsWith(`${source}/`)));
    expect(missing).toEqual([]);
    const made = [...run.matchAll(/^COPY --from=build \/opt\/framewright\/(\S+) \.(\S*)$/gm)];
    expect(made.length).toBeGreaterThan(5);
    for (const [, source = '', target = ''] of made) {
      expect(existsSync(source), source).toBe(true);
      expect(target === '/' || target === `/${source}`, source).toBe(true);
    }
  });

  it('copies every folder that the running service reads', () => {
    const read = new Set<string>();
    for (const file of tracked.filter((path) => /^src\/.*\.ts$/.test(path))) {
      const text = readFileSync(file, 'utf8');
      for (const [, folder = ''] of text.matchAll(/new URL\(['"`](?:\.\.\/)+([a-z]+)\/[^'"`]*['"`], import\.meta\.url\)/g)) read.add(folder);
    }
    read.delete('src');
    expect(read.size).toBeGreaterThan(2);
    const copied = [...run.matchAll(/^COPY --from=build \/opt\/framewright\/([a-z_]+)/gm)].map(([, folder]) => folder);
    expect([...read].filter((folder) => existsSync(folder) && !copied.includes(folder))).toEqual([]);
  });

  it('installs the packages of the libraries that the engine loads', () => {
    const programs = readdirSync('build/Release').filter((file) => /^framewright/.test(file));
    const linked = programs.map((name) => execFileSync('readelf', ['-d', join('build/Release', name)], { encoding: 'utf8' })).join('\n');
    const libraries = [...new Set([...linked.matchAll(/NEEDED.*\[(.+)\]/g)].map(([, library]) => library ?? ''))];
    expect(libraries.length).toBeGreaterThan(8);
    // Those of cards are opened when the engine runs, where there are any.
    expect(libraries.filter((library) => /vulkan|cuda|nvidia|^libva|^libdrm/.test(library))).toEqual([]);
    // `package: /path/of/libfoo.so.1.2`, and `…/libfoo.so.1`, which is what was asked for.
    const owners = execFileSync('dpkg-query', ['-S', ...libraries.map((library) => `*/${library}`)], { encoding: 'utf8' });
    const needed = new Set([...owners.matchAll(/^([a-z0-9.+-]+)(?::\w+)?: /gm)].map(([, name]) => name ?? ''));
    for (const name of needed) if (/^(libc6.*|libstdc\+\+6|libgcc-s1|lib32.*|libx32.*|.*-dev|.*-cross)$/.test(name)) needed.delete(name);
    expect(needed.size).toBeGreaterThan(4);
    expect([...needed].filter((name) => !run.includes(` ${name} `))).toEqual([]);
  });

  it('runs unprivileged, under an init process, with a health check', () => {
    const users = [...run.matchAll(/^USER (.+)$/gm)].map(([, user]) => user);
    expect(users).toEqual(['node']);
    expect(run).toMatch(/^ENTRYPOINT \["tini", "--", "node"\]$/m);
    expect(run).toMatch(/^HEALTHCHECK .*\/healthz/m);
    expect(run).toContain('NVIDIA_DRIVER_CAPABILITIES=compute,video,graphics,utility');
    expect(run.indexOf('\nUSER ')).toBeGreaterThan(run.lastIndexOf('\nCOPY '));
  });
});

it.each(['compose.gpu.yaml', 'compose.farm.yaml'])('%s names the Dockerfile, the data folder and settings that there are', (file) => {
  const { services, volumes } = parse(readFileSync(`deploy/${file}`, 'utf8'), { merge: true }) as {
    services: Record<string, { image: string; build: { context: string; dockerfile: string }; environment: Record<string, string>; volumes?: string[] }>;
    volumes: Record<string, unknown>;
  };
  const settings = readFileSync('docs/configuration.md', 'utf8');
  const ours = Object.values(services).filter(({ image }) => image.startsWith('framewright:'));
  expect(ours.length).toBeGreaterThan(0);
  for (const service of ours) {
    expect(existsSync(join('deploy', service.build.context, service.build.dockerfile))).toBe(true);
    expect(
      Object.keys(service.environment).filter((name) => !/^AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY)$/.test(name) && !settings.includes(`| \`${name}\` |`)),
    ).toEqual([]);
    for (const volume of service.volumes ?? []) {
      const [name = '', path] = volume.split(':');
      expect(Object.keys(volumes)).toContain(name);
      expect(dockerfile).toContain(`VOLUME ${path}`);
    }
  }
});

describe('the manifests of Kubernetes', () => {
  type Manifest = { kind: string; metadata: { name: string }; spec?: Record<string, never>; data?: Record<string, string> };
  const documents = parseAllDocuments(readFileSync('deploy/kubernetes/framewright.yaml', 'utf8'));
  const manifests = documents.map((document) => document.toJS() as Manifest);
  const settings = readFileSync('docs/configuration.md', 'utf8');

  it('are well-formed', () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    expect(manifests.map(({ kind }) => kind)).toEqual(['ConfigMap', 'Deployment', 'Service', 'Deployment', 'ScaledObject']);
  });

  it('name existing settings, probes and commands', () => {
    const text = JSON.stringify(manifests);
    const names = [...Object.keys(manifests[0]?.data ?? {}), ...[...text.matchAll(/"name":"([A-Z][A-Z_]+)"/g)].map(([, name]) => name ?? '')];
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !settings.includes(`| \`${name}\` |`))).toEqual([]);
    expect(existsSync('src/cli/commands/service/worker.ts')).toBe(true);
    const operating = readFileSync('docs/operating.md', 'utf8');
    for (const [, path = ''] of text.matchAll(/"httpGet":\{"path":"([^"]+)"/g)) expect(operating).toContain(`GET ${path}`);
  });

  it('select the resources that they create', () => {
    const made = manifests.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name);
    const scaled = manifests.find(({ kind }) => kind === 'ScaledObject') as unknown as {
      spec: { scaleTargetRef: { name: string }; triggers: Array<{ metadata: { query: string } }> };
    };
    expect(made).toContain(scaled.spec.scaleTargetRef.name);
    for (const deployment of manifests.filter(({ kind }) => kind === 'Deployment')) {
      const { selector, template } = deployment.spec as unknown as { selector: { matchLabels: object }; template: { metadata: { labels: object } } };
      expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    }
  });
});

it('the dashboard queries existing metrics', () => {
  const { panels } = JSON.parse(readFileSync('deploy/grafana.json', 'utf8')) as { panels: Array<{ targets: Array<{ expr: string }> }> };
  const operating = readFileSync('docs/operating.md', 'utf8');
  const asked = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => [...expr.matchAll(/\b([a-z]+(?:_[a-z]+)+)(?=[[{)]|$)/g)].map(([, name]) => name ?? '')),
  );
  expect(new Set(asked).size).toBeGreaterThan(12);
  expect([...new Set(asked)].filter((name) => !operating.includes(`| \`${name.replace(/_(bucket|count)$/, '')}\` |`))).toEqual([]);
});

it('systemd accepts the unit', () => {
  const unit = readFileSync('deploy/framewright.service', 'utf8');
  expect(unit).toMatch(/^ExecStart=\/usr\/bin\/node dist\/main\.js$/m);
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) {
    console.warn('NOT CHECKED: systemd-analyze is not installed, so nobody has read deploy/framewright.service');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'framewright-unit-'));
  try {
    // With this machine's own Node: systemd looks whether the program is there.
    writeFileSync(join(folder, 'framewright.service'), unit.replace('/usr/bin/node', process.execPath));
    const { stderr, status } = spawnSync('systemd-analyze', ['verify', join(folder, 'framewright.service')], { encoding: 'utf8' });
    expect(stderr.split('\n').filter((line) => line.includes('framewright.service'))).toEqual([]);
    expect(status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
