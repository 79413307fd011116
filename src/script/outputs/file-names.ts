import type { OutputFormat } from '../movie.js';
import { isObject } from '../raw.js';
import { hasExtension, outputFormats, primaryOutput } from './formats.js';

/** Name and format of an output; all that names its file. */
export interface NamedOutput {
  name: string;
  format: OutputFormat;
}

/** The outputs that a script asks for, as far as they are valid and written without expressions; empty for a script without `outputs`. */
export function listOutputs(script: unknown): NamedOutput[] {
  if (!isObject(script) || !Array.isArray(script.outputs)) return [];
  return script.outputs.flatMap((one: unknown) => {
    if (!isObject(one) || typeof one.name !== 'string' || typeof one.format !== 'string' || !Object.hasOwn(outputFormats, one.format)) return [];
    return [{ name: one.name, format: one.format as OutputFormat }];
  });
}

/**
 * File names or paths of all outputs by output name, from that of the primary one, whose extension becomes that of its format: `job.mp4`
 * gives `job-cover.jpg` for the output `cover`. Throws on duplicate names, which the parser refuses.
 */
export function outputFileNames(primary: string, outputs: readonly NamedOutput[]): Map<string, string> {
  const stem = primary.replace(/\.[a-z0-9]+$/i, '');
  const names = new Map<string, string>();
  const first = outputs.length === 0 ? undefined : primaryOutput(outputs);
  for (const output of outputs) {
    if (names.has(output.name)) throw new Error(`two outputs are called ${output.name}`);
    const { extension } = outputFormats[output.format];
    if (output !== first) names.set(output.name, `${stem}-${output.name}.${extension}`);
    else names.set(output.name, hasExtension(primary, extension) ? primary : `${stem}.${extension}`);
  }
  return names;
}
