import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { Component, GroupSchema, Pack, Preview, TreeNode } from './pack.js';

const require = createRequire(import.meta.url);
let checks: Ajv2020 | undefined;

interface Reading {
  /** Skip validation, for the shipped packs. */
  isTrusted?: boolean;
}

/** A pack is invalid; the message names the file and the error. */
export class PackError extends Error {
  constructor(file: string, message: string) {
    super(`${file}: ${message}`);
    this.name = 'PackError';
  }
}

/** Reads all packs in a folder, sorted by name. Throws PackError. */
export function readPacks(folder: string, reading: Reading = {}): Pack[] {
  if (!existsSync(folder)) throw new PackError(folder, 'the folder does not exist');
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isFile() && existsSync(join(folder, entry.name, 'pack.json')));
  return names.map((entry) => readPack(join(folder, entry.name), reading)).sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

interface PackFile {
  name: string;
  version: string;
  title?: string;
  components: string[];
}

interface ManifestFile extends Omit<Component, 'body' | 'preview' | 'seconds'> {
  seconds?: Component['seconds'];
  preview?: Partial<Preview>;
}

function readPack(folder: string, reading: Reading): Pack {
  const pack = read<PackFile>(join(folder, 'pack.json'), 'pack', reading);
  const components = pack.components.map((name) => readComponent(join(folder, name), `${pack.name}/${name}`, reading));
  return { name: pack.name, version: pack.version, title: pack.title ?? pack.name, folder, components };
}

function readComponent(folder: string, id: string, reading: Reading): Component {
  const file = join(folder, 'manifest.json');
  const manifest = read<ManifestFile>(file, 'manifest', reading);
  if (manifest.id !== id) throw new PackError(file, `the id must be "${id}", after its folder and pack, not "${manifest.id}"`);
  const preview = { settings: {}, width: 960, height: 540, seconds: 3, background: '#1b2735', at: [0.3, 0.8, 2.5], ...manifest.preview };
  return {
    id,
    title: manifest.title,
    description: manifest.description ?? '',
    seconds: manifest.seconds ?? 5,
    settings: withGroups(manifest.settings),
    preview,
    body: readBody(folder, reading),
  };
}

function withGroups(settings: Component['settings']): Component['settings'] {
  const filled = (groups: Record<string, GroupSchema> | undefined) =>
    Object.fromEntries(Object.entries(groups ?? {}).map(([name, group]) => [name, { ...group, properties: group.properties ?? {} }]));
  return { ...settings, properties: filled(settings.properties), patternProperties: filled(settings.patternProperties) };
}

function readBody(folder: string, reading: Reading): Component['body'] {
  const native = join(folder, 'component.json');
  const html = join(folder, 'component.html');
  if (existsSync(native)) return { kind: 'native', root: read<TreeNode>(native, 'node', reading) };
  if (existsSync(html)) return { kind: 'html', html: readFileSync(html, 'utf8') };
  throw new PackError(folder, 'has neither component.json nor component.html');
}

function read<T>(file: string, part: 'pack' | 'manifest' | 'node', { isTrusted = false }: Reading): T {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new PackError(file, error instanceof SyntaxError ? `is not valid JSON (${error.message})` : 'cannot be read');
  }
  if (!isTrusted) check(file, value, part);
  return value as T;
}

function check(file: string, value: unknown, part: string): void {
  checks ??= compileChecks();
  const validate = checks.getSchema(`pack#/$defs/${part}`);
  if (validate === undefined) throw new Error(`the pack schema has no part "${part}"`);
  if (validate(value)) return;
  const [error] = validate.errors ?? [];
  const extra = error?.params.additionalProperty ?? error?.params.allowedValues;
  throw new PackError(
    file,
    `${(error?.instancePath ?? '').slice(1).replaceAll('/', '.') || 'the file'} ${error?.message ?? 'is invalid'}${extra === undefined ? '' : ` (${[extra].flat().join(', ')})`}`,
  );
}

function compileChecks(): Ajv2020 {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  return ajv.addSchema(JSON.parse(readFileSync(new URL('../../../schema/pack.schema.json', import.meta.url), 'utf8')), 'pack');
}
