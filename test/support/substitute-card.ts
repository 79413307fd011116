import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Has `libcuda.so.1`, `libnvidia-encode.so.1` and `libnvcuvid.so.1`, built with the C++ tests from `test/substitute-driver`. */
export const substituteFolder = fileURLToPath(new URL('../../build/substitute-driver', import.meta.url));

/** Environment of a program that shall find NVIDIA's driver: the substitute with `settings` (see its header), whose first card is the software Vulkan device. */
export function substituteCard(settings = 'cards=1'): Record<string, string> {
  if (!existsSync(`${substituteFolder}/libcuda.so.1`)) throw new Error('the substitute driver is not built: cmake --build build --target substitute_driver');
  return { LD_LIBRARY_PATH: substituteFolder, CUDA_SUBSTITUTE: settings, FRAMEWRIGHT_ENCODER: 'nvenc' };
}

/** Command that runs another one where `/dev` has the device files of NVIDIA's driver, which give the engine's sandbox the rights of CUDA. */
export function onHostWithCard(command: readonly string[]): string[] {
  return ['sh', fileURLToPath(new URL('../substitute-driver/with-device-files.sh', import.meta.url)), 'nvidiactl nvidia0', ...command];
}
