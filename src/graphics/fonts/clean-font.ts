import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ProgramError, runSandboxed } from '../../engine/child-processes/index.js';
import { fontLimits, UnusableFont } from './font-metadata.js';

/** How downloaded fonts are sanitized. */
export interface FontCleaning {
  /** Path of OpenType Sanitizer's `ots-sanitize`; undefined: not installed. */
  program: string | undefined;
  /** `required`: fonts that cannot be sanitized are rejected. */
  mode: 'auto' | 'required' | 'off';
}

const memoryMb = 768;
/** CPU time limit; the largest fonts take one second. */
const cpuSeconds = 20;
const maxReasonLength = 200;

/**
 * Sanitizes a font file with OpenType Sanitizer in the sandbox, as browsers do: the file is rewritten with valid tables only. Returns the
 * file unchanged if no sanitizer is installed. Throws UnusableFont.
 */
export async function cleanFont(bytes: Buffer, path: string, folder: string, { program, mode }: FontCleaning): Promise<Buffer> {
  if (program === undefined) {
    if (mode === 'required') throw new UnusableFont('cannot be checked on this host, where only checked fonts are used (ots-sanitize is missing)');
    return bytes;
  }
  await mkdir(folder, { recursive: true });
  const workFolder = await mkdtemp(join(folder, 'font-'));
  try {
    const cleaned = join(workFolder, 'cleaned');
    await runSandboxed(program, { args: [path, cleaned], mode, folder: workFolder, readable: [path], memoryMb, seconds: cpuSeconds });
    const result = await readFile(cleaned);
    if (result.length > fontLimits.tableBytes) throw new UnusableFont('is a font file that exceeds the size limit when decompressed');
    return result;
  } catch (error) {
    if (error instanceof ProgramError) throw new UnusableFont(`is a damaged font file${reasonIn(error.message)}`);
    throw error;
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

/** The first error message of the sanitizer. */
function reasonIn(complaint: string): string {
  const line = complaint.split('\n').find((text) => /^ERROR/.test(text)) ?? complaint.split('\n')[0] ?? '';
  const text = line.replace(/^ERROR(?: at \S+)?:?\s*/, '').trim();
  return text === '' ? '' : `: ${text.slice(0, maxReasonLength)}`;
}
