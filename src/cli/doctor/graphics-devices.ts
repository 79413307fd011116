import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import type { EngineConfig } from '../../config/index.js';
import type { Capabilities, EncoderProbeResult } from '../../engine/index.js';
import { createEncoderSelection } from '../../render/index.js';
import type { Finding } from './finding.js';

/** What of graphics cards this process sees. */
export interface GraphicsDevices {
  /** The device files by which NVIDIA's driver, or Windows under WSL, is reached. */
  nvidia: boolean;
  renderNodes: Array<{ path: string; mayOpen: boolean }>;
}

const canReach = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  );

export async function listGraphicsDevices(): Promise<GraphicsDevices> {
  const names = await readdir('/dev/dri').catch(() => []);
  const paths = names.filter((name) => name.startsWith('renderD')).map((name) => `/dev/dri/${name}`);
  const renderNodes = await Promise.all(paths.map(async (path) => ({ path, mayOpen: await canReach(path, constants.R_OK | constants.W_OK) })));
  const nvidia = await Promise.all(['/dev/nvidiactl', '/dev/dxg'].map((path) => canReach(path, constants.F_OK)));
  return { nvidia: nvidia.includes(true), renderNodes };
}

/** What whoever runs the host can do about it, or need not; empty where the driver's words are all that is known. */
export function encoderAdvice({ name, reason, refusal }: Pick<EncoderProbeResult, 'name' | 'reason' | 'refusal'>, cards: GraphicsDevices): string {
  if (refusal === 'not-built') return name.startsWith('av1_') ? `libav has it from ${name === 'av1_nvenc' ? '6.0' : '6.1'} on` : '';
  if (refusal === 'no-session') return 'others use all that the card allows; a render waits up to a minute for its turn';
  return name.endsWith('_nvenc') ? nvencAdvice(reason, cards) : vaapiAdvice(reason, cards);
}

function nvencAdvice(reason: string, { nvidia }: GraphicsDevices): string {
  if (/unsupported device/i.test(reason)) {
    return 'the card has no encoder, as A100, A30, H100, H200 and their like have none: it draws and decodes, and the processor encodes';
  }
  if (/minimum required Nvidia driver/i.test(reason)) return '';
  if (/no capable devices/i.test(reason)) return 'no card here encodes this codec: the processor does';
  if (!nvidia)
    return 'no NVIDIA card is visible here, for there is no /dev/nvidiactl (in a container: --gpus all, with the NVIDIA container toolkit on the host)';
  if (!/Cannot load lib(cuda|nvidia-encode)/.test(reason)) return '';
  return "the card is there, this library of its driver is not: install the driver's libraries (in a container: NVIDIA_DRIVER_CAPABILITIES=compute,video,graphics,utility)";
}

function vaapiAdvice(reason: string, { renderNodes }: GraphicsDevices): string {
  if (renderNodes.length === 0) return 'no Intel or AMD card is visible here (in a container: --device /dev/dri)';
  const closed = renderNodes.filter(({ mayOpen }) => !mayOpen).map(({ path }) => path);
  if (closed.length === renderNodes.length) return `this user may not open ${closed.join(', ')}: put it into the group that owns it (render)`;
  return /VA display|initialise VAAPI/i.test(reason) ? 'no VAAPI driver knows this card (apt: intel-media-va-driver or mesa-va-drivers; NVIDIA has none)' : '';
}

export function decoderAdvice(reason: string): string {
  if (!/Cannot load lib(cuda|nvcuvid)/.test(reason)) return '';
  return "this library of NVIDIA's driver is missing (in a container: NVIDIA_DRIVER_CAPABILITIES must name compute and video)";
}

export function compositorAdvice(reason: string, cards: GraphicsDevices): string {
  const isVisible = cards.nvidia || cards.renderNodes.length > 0;
  if (!isVisible) return '';
  if (reason.startsWith('libvulkan.so.1')) return 'apt: libvulkan1';
  const isWithoutDriver = reason.startsWith('No Vulkan driver') || /^not used: llvmpipe[^;]*: in software; for tests/.test(reason);
  if (!isWithoutDriver) return '';
  const nvidia = 'NVIDIA: the capability `graphics` in a container, and a file of nvidia_icd.json in /etc/vulkan/icd.d';
  return `a card is visible, its Vulkan driver is not (${cards.nvidia ? nvidia : 'apt: mesa-vulkan-drivers'})`;
}

/** In one line, what of a render cards do here. */
export async function graphicsFinding(config: EngineConfig, { encoders, compositors, decoders }: Capabilities, cards: GraphicsDevices): Promise<Finding> {
  const tryEncoder = async (name: string): Promise<EncoderProbeResult> =>
    encoders.find((verdict) => verdict.name === name) ?? { name, available: false, reason: '', refusal: 'not-built' };
  const choice = createEncoderSelection(config.encoder);
  const chosen = await Promise.all((['h264', 'hevc', 'av1'] as const).map((codec) => choice.select(codec, { probeEncoder: tryEncoder })));
  const encoding = chosen.filter((name) => !name.startsWith('lib'));
  const draws = config.compositor !== 'cpu' && compositors.some(({ name, available }) => name === 'vulkan' && available);
  const decoding = config.hardwareDecode === 'off' ? [] : decoders.filter(({ available }) => available).map(({ name, codec }) => `${codec} (${name})`);
  const bySome = [
    `decoded by the ${decoding.length > 0 ? `card where that pays: ${decoding.join(', ')}` : 'processor'}`,
    `drawn by the ${draws ? 'card' : 'processor'}`,
    `encoded by ${chosen.join(', ')}`,
  ];
  const ok = encoding.length > 0 || draws || decoding.length > 0;
  const visible = [...(cards.nvidia ? ["NVIDIA's"] : []), ...cards.renderNodes.map(({ path }) => path)];
  const seen = visible.length === 0 ? 'no card is visible here' : `visible: ${visible.join(', ')}`;
  return { topic: 'card', name: 'what graphics cards do here', ok, detail: `${seen}; films are ${bySome.join(', ')}`, essential: false };
}
