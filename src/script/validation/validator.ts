import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Options, ValidateFunction } from 'ajv/dist/2020.js';
import { inAscii, loadScript } from '../../config/precompiled/index.js';

/** What a validator is made from. */
export interface ValidatorSource {
  /** Of its file. */
  name: string;
  schema: object;
  options: Options;
}

const require = createRequire(import.meta.url);
/** The same place from `src` and from `dist`. */
const builtFolder = fileURLToPath(new URL('../../../dist/validators', import.meta.url));

/**
 * The validator that the build made of this very schema; where there is none, it is compiled here and now. Ajv turns a schema into
 * JavaScript, and for one as large as the movie's that is most of what a start of the service or a render process does.
 */
export function loadValidator(source: ValidatorSource, folder: string = builtFolder): ValidateFunction {
  return loadBuilt(source, folder) ?? compile(source, {}).validate;
}

/** Writes the validator for later starts; returns its path. */
export function buildValidator(source: ValidatorSource, folder: string = builtFolder): string {
  const { ajv, validate } = compile(source, { code: { source: true } });
  const { default: standaloneCode } = require('ajv/dist/standalone') as typeof import('ajv/dist/standalone/index.js');
  const path = join(folder, `${source.name}.cjs`);
  mkdirSync(folder, { recursive: true });
  // Renamed when it is whole: a service may start meanwhile.
  writeFileSync(`${path}.part`, `${inAscii(standaloneCode(ajv, validate))}\nmodule.exports.madeFrom = "${fingerprint(source)}";\n`);
  renameSync(`${path}.part`, path);
  return path;
}

function loadBuilt(source: ValidatorSource, folder: string): ValidateFunction | undefined {
  try {
    const built = loadScript(join(folder, `${source.name}.cjs`)) as ValidateFunction & { madeFrom?: string };
    return built.madeFrom === fingerprint(source) ? built : undefined;
  } catch {
    return undefined;
  }
}

function compile({ schema, options }: ValidatorSource, more: Options) {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const ajv = new Ajv2020({ ...options, ...more });
  return { ajv, validate: ajv.compile(schema) as ValidateFunction };
}

/** Changes with everything that decides what the validator says. */
function fingerprint({ schema, options }: ValidatorSource): string {
  const { version } = require('ajv/package.json') as { version: string };
  return createHash('sha256')
    .update(JSON.stringify([version, options, schema]))
    .digest('hex');
}
