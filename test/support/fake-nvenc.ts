import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('./fake-nvenc.c', import.meta.url));
const addon = fileURLToPath(new URL('../../build/Release/framewright.node', import.meta.url));

/** Builds a libavcodec into `folder` (for LD_LIBRARY_PATH) whose h264_nvenc opens on any host and fails after `pictures` frames of a process. */
export function buildFakeNvenc(folder: string, images: number): void {
  const found = /(libavcodec\.so\.(\d+)) => (\S+)/.exec(execFileSync('ldd', [addon], { encoding: 'utf8' }));
  if (found === null) throw new Error(`${addon} is not linked with libavcodec`);
  const [, name = '', major = '', real = ''] = found;
  const versions = join(folder, 'versions.map');
  writeFileSync(versions, `LIBAVCODEC_${major} { global: *; };\n`);
  // The real library is linked by its full path, because its name resolves to the fake one.
  const byPath = join(folder, 'by-path.so');
  const build = (...args: string[]): void => void execFileSync('cc', ['-shared', '-fPIC', ...args]);
  build('-o', byPath, `-Wl,-soname,${real}`, '-x', 'c', '/dev/null');
  const linking = [`-Wl,--version-script=${versions}`, `-Wl,-soname,${name}`, '-Wl,--no-as-needed', byPath, '-ldl'];
  build(`-DREAL="${real}"`, `-DPICTURES=${images}`, '-o', join(folder, name), source, ...linking);
}
