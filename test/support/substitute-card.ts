import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Has `libcuda.so.1`, `libnvidia-encode.so.1` and `libnvcuvid.so.1`, built with the C++ tests from `test/substitute-driver`. */
export const substituteFolder = fileURLToPath(new URL('../../build/substitute-driver', import.meta.url));

/** Environment of a program that shall find NVIDIA's driver: the substitute with `settings` (see its header), whose first card is the software Vulkan device. */
export function substituteCard(settings = 'cards=1'): Record<string, string> {
  if (!existsSync(`${substituteFolder}/libcuda.so.1`)) throw new Error('the substitute driver is not built: cmake --build build --target substitute_driver');
  return { LD_LIBRARY_PATH: substituteFolder, CUDA_SUBSTITUTE: settings, FRAMEWRIGHT_ENCODER: 'nvenc' };
}

/** Environment of a program that shall find a VAAPI driver: libva's own libraries with the substitute (test/substitute-driver/vaapi). */
export function substituteVaapi(settings = ''): Record<string, string> {
  if (!existsSync(`${substituteFolder}/substitute_drv_video.so`))
    throw new Error('the substitute driver is not built: cmake --build build --target native_tests');
  return { LD_LIBRARY_PATH: substituteFolder, LIBVA_DRIVERS_PATH: substituteFolder, LIBVA_SUBSTITUTE: settings };
}

/** Environment of a program in which the software Vulkan device is what `settings` make of it (test/substitute-driver/vulkan). */
export function substituteVulkan(settings: string): Record<string, string> {
  if (!existsSync(`${substituteFolder}/libVkLayer_substitute.so`)) throw new Error('the Vulkan layer is not built: cmake --build build --target native_tests');
  return { VK_ADD_LAYER_PATH: substituteFolder, VK_INSTANCE_LAYERS: 'VK_LAYER_FRAMEWRIGHT_substitute', VULKAN_SUBSTITUTE: settings, VK_SUBSTITUTE: settings };
}

const script = fileURLToPath(new URL('../substitute-driver/with-device-files.sh', import.meta.url));

/** Command that runs another one where `/dev` has the device files of NVIDIA's driver, which give the engine's sandbox the rights of CUDA. */
export const onHostWithCard = (command: readonly string[]): string[] => ['sh', script, 'nvidiactl nvidia0', ...command];

/** Command that runs another one where `/dev` has a render node. */
export const onHostWithRenderNode = (command: readonly string[]): string[] => ['sh', script, 'dri/renderD128', ...command];
