import type { OutputFormat } from '../movie.js';
import { isObject } from '../raw.js';
import { fileType, hasExtension, outputFormats, primaryOutput } from './formats.js';

/** All that names the file of an output. */
export interface NamedOutput {
  name: string;
  format: OutputFormat;
  sequence?: boolean;
}

/** The outputs that a script asks for, as far as they are valid and written without expressions; empty for a script without `outputs`. */
export function listOutputs(script: unknown): NamedOutput[] {
  if (!isObject(script) || !Array.isArray(script.outputs)) return [];
  return script.outputs.flatMap((one: unknown) => {
    if (!isObject(one) || typeof one.name !== 'string' || typeof one.format !== 'string' || !Object.hasOwn(outputFormats, one.format)) return [];
    return [{ name: one.name, format: one.format as OutputFormat, ...(one.sequence === true && { sequence: true }) }];
  });
}

/**
 * File names or paths of all outputs by output name, from that of the primary one, whose extension becomes that of its format: `job.mp4`
 * gives `job-cover.jpg` for the output `cover`, and `job-live/stream.m3u8` for an output `live` of several files. Throws on duplicate names, which the parser refuses.
 */
export function outputFileNames(primary: string, outputs: readonly NamedOutput[]): Map<string, string> {
  const stem = primary.replace(/\.[a-z0-9]+$/i, '');
  const names = new Map<string, string>();
  const first = outputs.length === 0 ? undefined : primaryOutput(outputs);
  for (const output of outputs) {
    if (names.has(output.name)) throw new Error(`two outputs are called ${output.name}`);
    const { extension } = fileType(output);
    const { entry } = outputFormats[output.format];
    if (output === first && hasExtension(primary, extension)) names.set(output.name, primary);
    else if (entry !== undefined) names.set(output.name, `${stem}-${output.name}/${entry}.${extension}`);
    else names.set(output.name, output === first ? `${stem}.${extension}` : `${stem}-${output.name}.${extension}`);
  }
  return names;
}
