import { resolve } from 'node:path';
import {
  alternatives,
  fileType,
  formatOfFile,
  hasExtension,
  isObject,
  listOutputs,
  type NamedOutput,
  type OutputFormat,
  outputFormats,
  primaryOutput,
} from '../script/index.js';
import { UsageError } from './exit-codes.js';

/** A movie script and where its files go. */
export interface OutputChoice {
  script: unknown;
  /** Path of the primary output. */
  outputPath: string;
  /** Paths by output name, of those that are not written beside the primary one. */
  outputPaths: ReadonlyMap<string, string>;
}

/** Commander parser for an option that may be given several times. */
export function collect(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text];
}

/**
 * Applies the `--output` options to a script: `FILE` is the path of the primary output and chooses its format by the extension unless the
 * script has `outputs`; `NAME=FILE` is the path of one output, which is added if the script has none of that name. With names alone, only
 * those outputs are made. Throws UsageError.
 */
export function chooseOutputs(script: unknown, options: readonly string[]): OutputChoice {
  const named = new Map<string, string>();
  const plain: string[] = [];
  for (const option of options) {
    const [, name, file] = /^([a-z0-9-]+)=(.+)$/.exec(option) ?? [];
    if (name === undefined || file === undefined) plain.push(option);
    else if (named.has(name)) throw new UsageError(`--output ${name}=… is given twice.`);
    else named.set(name, resolve(file));
  }
  const [file] = plain;
  if (plain.length > 1)
    throw new UsageError(
      `Only one --output without a name can be given; write ${plain.map((one, index) => `${index === 0 ? 'video' : `other-${index}`}=${one}`).join(' and ')}.`,
    );
  const listed = listOutputs(script);
  // Computed names and formats are known later: the files are written beside the one that is named.
  if (file !== undefined && named.size === 0 && hasComputedOutputs(script, listed)) return { script, outputPath: resolve(file), outputPaths: named };
  for (const output of listed) checkExtension(named.get(output.name), output);
  const added = [...named].filter(([name]) => !listed.some((output) => output.name === name)).map(([name, path]) => ({ name, format: formatOf(path) }));
  if (file === undefined) return withNamedOnly(script, listed, added, named);
  if (listed.length > 0) {
    checkExtension(file, primaryOutput(listed));
    return { script: withOutputs(script, [...rawOutputs(script), ...added]), outputPath: resolve(file), outputPaths: named };
  }
  const format = formatOf(file);
  if (format === 'mp4' && added.length === 0) return { script, outputPath: resolve(file), outputPaths: named };
  const first = { name: unusedName(named), format };
  // The first video is the primary output, so every output gets its path by name.
  const paths = new Map([...named, [first.name, resolve(file)]]);
  return { script: withOutputs(script, [first, ...added]), ...primaryPath([first, ...added], paths) };
}

function withNamedOnly(script: unknown, listed: readonly NamedOutput[], added: readonly NamedOutput[], named: ReadonlyMap<string, string>): OutputChoice {
  const raw = rawOutputs(script).filter((output) => isObject(output) && named.has(String(output.name)));
  const outputs = [...listed.filter(({ name }) => named.has(name)), ...added];
  return { script: withOutputs(script, [...raw, ...added]), ...primaryPath(outputs, named) };
}

function primaryPath(outputs: readonly NamedOutput[], paths: ReadonlyMap<string, string>): Omit<OutputChoice, 'script'> {
  return { outputPath: paths.get(primaryOutput(outputs).name) ?? '', outputPaths: paths };
}

const rawOutputs = (script: unknown): unknown[] => (isObject(script) && Array.isArray(script.outputs) ? script.outputs : []);

/** Whether names or formats of outputs are expressions. */
function hasComputedOutputs(script: unknown, listed: readonly NamedOutput[]): boolean {
  const outputs = isObject(script) ? script.outputs : undefined;
  return typeof outputs === 'string' || listed.length < rawOutputs(script).length || listed.some(({ name }) => name.includes('{{'));
}

const withOutputs = (script: unknown, outputs: unknown[]): unknown => (isObject(script) ? { ...script, outputs } : script);

function unusedName(named: ReadonlyMap<string, string>): string {
  const names = ['video', 'main', ...Array.from({ length: named.size }, (_, index) => `main-${index}`)];
  return names.find((name) => !named.has(name)) ?? 'video';
}

/** Animations share the extensions of stills; for those `outputs` in the script says which. */
function formatOf(file: string): OutputFormat {
  const format = formatOfFile(file);
  if (format !== undefined) return format;
  const extensions = [...new Set(Object.values(outputFormats).map(({ extension }) => `.${extension}`))];
  throw new UsageError(`${file} must end in ${alternatives(extensions)}.`);
}

function checkExtension(file: string | undefined, output: NamedOutput): void {
  const { extension } = fileType(output);
  if (file === undefined || hasExtension(file, extension)) return;
  const what = output.sequence === true ? 'a sequence in a ZIP file' : `a ${output.format} file`;
  throw new UsageError(`${file} must end in .${extension}, because the output ${JSON.stringify(output.name)} of the script is ${what}.`);
}
