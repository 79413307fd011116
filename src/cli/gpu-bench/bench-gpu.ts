import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { loadConfig } from '../../config/index.js';
import { runGpuCheck } from '../../engine/index.js';
import { describeHost } from '../encoder-bench/describe-host.js';
import { createProgressBar } from '../progress-bar.js';
import { gpuPage } from './gpu-page.js';
import type { GpuBenchDocument, GpuCheck } from './gpu-results.js';

export interface BenchGpuOptions {
  output: string;
  cases: number;
  speed: boolean;
  json?: boolean;
}

/** Runs `bench gpu`: checks and measures this host's graphics devices and writes gpu.json and gpu.html. */
export async function benchGpu({ output, cases, speed, json }: BenchGpuOptions): Promise<void> {
  const cancel = new AbortController();
  process.once('SIGINT', () => cancel.abort(new Error('Stopped.')));
  const folder = resolve(output);
  await mkdir(folder, { recursive: true });
  const bar = createProgressBar();
  bar.update(0, 'checking the graphics devices, which takes some minutes');
  try {
    const host = await describeHost();
    const check = (await runGpuCheck(loadConfig().sandbox, ['--cases', String(cases), ...(speed ? [] : ['--no-speed'])], cancel.signal)) as GpuCheck;
    const document: GpuBenchDocument = { finished: new Date().toISOString(), host, check };
    const paths = { json: join(folder, 'gpu.json'), html: join(folder, 'gpu.html') };
    await writeFile(paths.json, `${JSON.stringify(document, null, 1)}\n`);
    await writeFile(paths.html, gpuPage(document));
    bar.stop();
    for (const { name, errors, parity, deepParity } of check.devices) {
      for (const error of errors) console.error(`failed: ${name}: ${error}`);
      for (const found of [parity, deepParity]) {
        if (found !== undefined && found.wrong > 0)
          console.error(`failed: ${name}: ${found.wrong} of ${found.cases} frames differ from the CPU's (${found.firstFailure})`);
      }
    }
    if (check.error !== undefined) console.error(check.error);
    console.log(json ? JSON.stringify(paths) : Object.values(paths).join('\n'));
  } finally {
    bar.stop();
  }
}
