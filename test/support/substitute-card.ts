import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Has `libcuda.so.1` and `libnvidia-encode.so.1`, built with the C++ tests from `test/substitute-driver`. */
export const substituteFolder = fileURLToPath(new URL('../../build/substitute-driver', import.meta.url));

/** Environment of a program that shall find NVIDIA's driver: the substitute with `settings` (see its header), whose first card is the software Vulkan device. */
export function substituteCard(settings = 'cards=1'): Record<string, string> {
  if (!existsSync(`${substituteFolder}/libcuda.so.1`)) throw new Error('the substitute driver is not built: cmake --build build --target substitute_driver');
  return { LD_LIBRARY_PATH: substituteFolder, CUDA_SUBSTITUTE: settings, FRAMEWRIGHT_ENCODER: 'nvenc' };
}

/** Command that runs another one where `/dev` has the device files of NVIDIA's driver, which give the engine's sandbox the rights of CUDA. */
export function onHostWithCard(command: readonly string[]): string[] {
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  const script = [
    'mount -t tmpfs tmpfs $0',
    'for file in null zero full random urandom tty; do touch $0/$file && mount --bind /dev/$file $0/$file || exit 1; done',
    'ln -s /proc/self/fd $0/fd && mkdir -m 1777 $0/shm && touch $0/nvidiactl $0/nvidia0',
    'mount --rbind $0 /dev && exec "$@"',
  ].join(' && ');
  return ['unshare', ...asRoot, '--mount', 'sh', '-c', script, '/mnt', ...command];
}
