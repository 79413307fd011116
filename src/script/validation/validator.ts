import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Options, ValidateFunction } from 'ajv/dist/2020.js';
import { inAscii, loadScript } from '../../config/precompiled/index.js';

/** Input of a validator. */
export interface ValidatorSource {
  /** Base name of the compiled file. */
  name: string;
  schema: object;
  options: Options;
}

const require = createRequire(import.meta.url);
/** The same path from `src` and from `dist`. */
const builtFolder = fileURLToPath(new URL('../../../dist/validators', import.meta.url));

/**
 * Loads the validator that the build compiled from this schema, or compiles it now. Compiling the movie schema takes most of the
 * start time of the service and of render processes.
 */
export function loadValidator(source: ValidatorSource, folder: string = builtFolder): ValidateFunction {
  return loadBuilt(source, folder) ?? compile(source, {}).validate;
}

/** Compiles a validator into a file for later starts; returns its path. */
export function buildValidator(source: ValidatorSource, folder: string = builtFolder): string {
  const { ajv, validate } = compile(source, { code: { source: true } });
  const { default: standaloneCode } = require('ajv/dist/standalone') as typeof import('ajv/dist/standalone/index.js');
  const path = join(folder, `${source.name}.cjs`);
  mkdirSync(folder, { recursive: true });
  // Renamed when complete, because a service may start meanwhile.
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

/** Hash of everything that affects the validator. */
function fingerprint({ schema, options }: ValidatorSource): string {
  const { version } = require('ajv/package.json') as { version: string };
  return createHash('sha256')
    .update(JSON.stringify([version, options, schema]))
    .digest('hex');
}
