import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxConfig } from '../../config/index.js';
import { AppError } from '../../errors/index.js';
import { ProgramError, runProgram } from '../child-processes/index.js';
import { confinedCommand, gpuCheckProgram } from './engine-sandbox.js';

const TIMEOUT_MS = 1_800_000;
const MAX_OUTPUT_BYTES = 10_000_000;

/**
 * Runs `gpu_check` (native/gpu_check) with the rights of an engine process, so that it finds what renders find. Resolves to its JSON, also when a
 * device has failed its checks. Throws INTERNAL_ERROR when the program is not built, and ProgramError when it crashes.
 */
export async function runGpuCheck({ mode, limits, environment }: SandboxConfig, options: readonly string[], signal: AbortSignal): Promise<unknown> {
  if (!existsSync(gpuCheckProgram))
    throw new AppError('INTERNAL_ERROR', { message: 'gpu_check is not built: install libvulkan-dev and glslc and run "npm run setup".' });
  const folder = await mkdtemp(join(tmpdir(), 'framewright-gpu-'));
  const command = [gpuCheckProgram, '--json', ...options];
  const [program = gpuCheckProgram, ...args] = confinedCommand(command, mode, { limits, folder, readable: [], environment });
  const home = { ...environment, HOME: folder, TMPDIR: folder };
  try {
    const { code, stdout, stderr } = await runProgram(program, {
      args,
      stdin: '',
      folder,
      environment: home,
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      signal,
    });
    if (code !== 0 && code !== 1)
      throw new ProgramError(`gpu_check ${code === undefined ? 'was killed by a signal' : `ended with ${code}`}: ${stderr.slice(-500)}`);
    return JSON.parse(stdout.toString('utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
