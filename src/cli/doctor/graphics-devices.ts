import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { EngineConfig } from '../../config/index.js';
import { type Capabilities, type EncoderProbeResult, listGraphicsDeviceFiles } from '../../engine/index.js';
import { createEncoderSelection } from '../../render/index.js';
import type { Finding } from './finding.js';

/** Graphics devices that this process sees. */
export interface GraphicsDevices {
  /** Whether there is a device file of NVIDIA's driver, or of Windows under WSL. */
  nvidia: boolean;
  renderNodes: Array<{ path: string; isAccessible: boolean }>;
}

const isAccessible = (path: string): Promise<boolean> =>
  access(path, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );

/** Looks for device files of NVIDIA and for render nodes. */
export async function listGraphicsDevices(): Promise<GraphicsDevices> {
  const files = listGraphicsDeviceFiles();
  const renderNodes = files.renderNodes.map(async (path) => ({ path, isAccessible: await isAccessible(path) }));
  return { nvidia: files.nvidia.includes('/dev/nvidiactl') || files.windows.length > 0, renderNodes: await Promise.all(renderNodes) };
}

/** What the operator can do about an encoder that does not open; empty if nothing is known beyond the driver's message. */
export function encoderAdvice({ name, reason, refusal }: Pick<EncoderProbeResult, 'name' | 'reason' | 'refusal'>, devices: GraphicsDevices): string {
  if (refusal === 'not-built') return name.startsWith('av1_') ? `FFmpeg has it since ${name === 'av1_nvenc' ? '6.0' : '6.1'}` : '';
  if (refusal === 'no-session') return 'all encoder sessions of the device are in use; a render waits up to a minute for one';
  return name.endsWith('_nvenc') ? nvencAdvice(reason, devices) : vaapiAdvice(reason, devices);
}

function nvencAdvice(reason: string, { nvidia }: GraphicsDevices): string {
  if (/unsupported device/i.test(reason)) {
    return 'the device has no encoder (like A100, A30, H100 and H200): it composes and decodes, and the CPU encodes';
  }
  if (/minimum required Nvidia driver/i.test(reason)) return '';
  if (/no capable devices/i.test(reason)) return 'no device of this host encodes this codec: the CPU does';
  if (!nvidia) return 'no NVIDIA device is visible: /dev/nvidiactl is missing (in a container: --gpus all, with the NVIDIA container toolkit on the host)';
  if (!/Cannot load lib(cuda|nvidia-encode)/.test(reason)) return '';
  return "the device is visible, but a library of its driver is missing: install the driver's libraries (in a container: NVIDIA_DRIVER_CAPABILITIES=compute,video,graphics,utility)";
}

function vaapiAdvice(reason: string, { renderNodes }: GraphicsDevices): string {
  if (renderNodes.length === 0) return 'no Intel or AMD device is visible (in a container: --device /dev/dri)';
  const closed = renderNodes.filter(({ isAccessible }) => !isAccessible).map(({ path }) => path);
  if (closed.length === renderNodes.length) return `this user cannot open ${closed.join(', ')}: add the user to the group that owns it (render)`;
  return /VA display|initialise VAAPI/i.test(reason)
    ? 'no VAAPI driver supports this device (apt: intel-media-va-driver or mesa-va-drivers; NVIDIA has none)'
    : '';
}

/** What the operator can do about a decoder that is not available; may be empty. */
export function decoderAdvice(reason: string): string {
  if (!/Cannot load lib(cuda|nvcuvid)/.test(reason)) return '';
  return "a library of NVIDIA's driver is missing (in a container: NVIDIA_DRIVER_CAPABILITIES must include compute and video)";
}

/** What the operator can do about a compositor that is not available; may be empty. */
export function compositorAdvice(reason: string, devices: GraphicsDevices): string {
  if (!devices.nvidia && devices.renderNodes.length === 0) return '';
  if (reason.startsWith('libvulkan.so.1')) return 'apt: libvulkan1';
  const lacksDriver = reason.startsWith('No Vulkan driver') || /^not used: llvmpipe[^;]*: in software; for tests/.test(reason);
  if (!lacksDriver) return '';
  const nvidia =
    'NVIDIA: the capability `graphics` in a container, nvidia_icd.json in /etc/vulkan/icd.d, and libegl1 with 10_nvidia.json in ' +
    '/usr/share/glvnd/egl_vendor.d';
  return `a device is visible, but its Vulkan driver is not installed (${devices.nvidia ? nvidia : 'apt: mesa-vulkan-drivers'})`;
}

/** One line about what graphics devices do in renders on this host. */
export async function graphicsFinding(config: EngineConfig, { encoders, compositors, decoders }: Capabilities, devices: GraphicsDevices): Promise<Finding> {
  const probeEncoder = async (name: string): Promise<EncoderProbeResult> =>
    encoders.find((encoder) => encoder.name === name) ?? { name, available: false, reason: '', refusal: 'not-built', variant: 0, ignoredOptions: [] };
  const selection = createEncoderSelection(config.encoder);
  const chosen = await Promise.all((['h264', 'hevc', 'av1'] as const).map((codec) => selection.select(codec, { probeEncoder })));
  const encoding = chosen.filter((name) => !name.startsWith('lib'));
  const composes = config.compositor !== 'cpu' && compositors.some(({ name, available }) => name === 'vulkan' && available);
  const decoding = config.hardwareDecode === 'off' ? [] : decoders.filter(({ available }) => available).map(({ name, codec }) => `${codec} (${name})`);
  const roles = [
    `decoded by the ${decoding.length > 0 ? `GPU where it is faster: ${decoding.join(', ')}` : 'CPU'}`,
    `composed by the ${composes ? 'GPU' : 'CPU'}`,
    `encoded by ${chosen.join(', ')}`,
  ];
  const ok = encoding.length > 0 || composes || decoding.length > 0;
  const visible = [...(devices.nvidia ? ['NVIDIA'] : []), ...devices.renderNodes.map(({ path }) => path)];
  const devicesText = visible.length === 0 ? 'no graphics device is visible' : `visible: ${visible.join(', ')}`;
  return { topic: 'graphics', name: 'use of graphics devices', ok, detail: `${devicesText}; frames are ${roles.join(', ')}`, essential: false };
}
