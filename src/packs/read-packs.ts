import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Component, GroupSchema, Pack, Preview, TreeNode } from './pack.js';

const schema = JSON.parse(readFileSync(new URL('../../schema/pack.schema.json', import.meta.url), 'utf8')) as Record<string, unknown>;
const ajv = new Ajv2020({ strict: false, allErrors: false });
ajv.addSchema(schema, 'pack');

/** A pack that cannot be used; the message names the file and what is wrong. */
export class PackError extends Error {
  constructor(file: string, message: string) {
    super(`${file}: ${message}`);
    this.name = 'PackError';
  }
}

/** Every folder with a pack.json below a folder, by name. */
export function readPacks(folder: string): Pack[] {
  if (!existsSync(folder)) throw new PackError(folder, 'there is no such folder');
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isFile() && existsSync(join(folder, entry.name, 'pack.json')));
  return names.map((entry) => readPack(join(folder, entry.name))).sort((a, b) => a.name.localeCompare(b.name, 'en'));
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

function readPack(folder: string): Pack {
  const pack = readValid<PackFile>(join(folder, 'pack.json'), 'pack');
  const components = pack.components.map((name) => readComponent(join(folder, name), `${pack.name}/${name}`));
  return { name: pack.name, version: pack.version, title: pack.title ?? pack.name, folder, components };
}

function readComponent(folder: string, id: string): Component {
  const file = join(folder, 'manifest.json');
  const manifest = readValid<ManifestFile>(file, 'manifest');
  if (manifest.id !== id) throw new PackError(file, `its id is "${manifest.id}", but its folder and pack make it "${id}"`);
  const preview = { settings: {}, width: 960, height: 540, seconds: 3, background: '#1b2735', at: [0.3, 0.8, 2.5], ...manifest.preview };
  return {
    id,
    title: manifest.title,
    description: manifest.description ?? '',
    seconds: manifest.seconds ?? 5,
    settings: withGroups(manifest.settings),
    preview,
    body: readBody(folder),
  };
}

function withGroups(settings: Component['settings']): Component['settings'] {
  const filled = (groups: Record<string, GroupSchema> | undefined) =>
    Object.fromEntries(Object.entries(groups ?? {}).map(([name, group]) => [name, { ...group, properties: group.properties ?? {} }]));
  return { ...settings, properties: filled(settings.properties), patternProperties: filled(settings.patternProperties) };
}

function readBody(folder: string): Component['body'] {
  const native = join(folder, 'component.json');
  const html = join(folder, 'component.html');
  if (existsSync(native)) return { kind: 'native', root: readValid<TreeNode>(native, 'node') };
  if (existsSync(html)) return { kind: 'html', html: readFileSync(html, 'utf8') };
  throw new PackError(folder, 'has neither component.json nor component.html');
}

function readValid<T>(file: string, part: 'pack' | 'manifest' | 'node'): T {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new PackError(file, error instanceof SyntaxError ? `is not valid JSON (${error.message})` : 'cannot be read');
  }
  const validate = ajv.getSchema(`pack#/$defs/${part}`);
  if (validate === undefined) throw new Error(`the pack schema has no part "${part}"`);
  if (validate(value)) return value as T;
  const [error] = validate.errors ?? [];
  const extra = error?.params.additionalProperty ?? error?.params.allowedValues;
  throw new PackError(
    file,
    `${(error?.instancePath ?? '').slice(1).replaceAll('/', '.') || 'the file'} ${error?.message ?? 'is wrong'}${extra === undefined ? '' : ` (${[extra].flat().join(', ')})`}`,
  );
}
