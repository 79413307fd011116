import { expect, it } from 'vitest';
import { compositorAdvice, decoderAdvice, encoderAdvice, graphicsFinding } from '../../../src/cli/doctor/graphics-devices.js';
import { loadConfig } from '../../../src/config/index.js';

const none = { nvidia: false, renderNodes: [] };
const nvidia = { nvidia: true, renderNodes: [] };
const radeon = { nvidia: false, renderNodes: [{ path: '/dev/dri/renderD128', isAccessible: true }] };
const closed = { nvidia: false, renderNodes: [{ path: '/dev/dri/renderD128', isAccessible: false }] };

it.each([
  ['h264_nvenc', 'no-device', 'Cannot load libcuda.so.1', none, /^no NVIDIA device is visible: .*--gpus all/],
  ['h264_nvenc', 'no-device', 'Cannot load libcuda.so.1', nvidia, /NVIDIA_DRIVER_CAPABILITIES=compute,video,graphics,utility/],
  ['hevc_nvenc', 'no-device', 'Cannot load libnvidia-encode.so.1', nvidia, /a library of its driver is missing/],
  [
    'h264_nvenc',
    'no-device',
    'OpenEncodeSessionEx failed: unsupported device (2): (no details) No capable devices found',
    nvidia,
    /^the device has no encoder .*H100/,
  ],
  ['av1_nvenc', 'no-device', 'Codec not supported No capable devices found', nvidia, /^no device of this host encodes this codec/],
  ['h264_nvenc', 'no-session', 'OpenEncodeSessionEx failed: out of memory (10)', nvidia, /^all encoder sessions/],
  ['av1_nvenc', 'not-built', 'not part of this libav build', nvidia, /6\.0/],
  ['h264_vaapi', 'no-device', 'there is no render node in /dev/dri', none, /--device \/dev\/dri/],
  ['h264_vaapi', 'no-device', 'renderD128: No VA display found', closed, /cannot open \/dev\/dri\/renderD128: .*group/],
  ['h264_vaapi', 'no-device', 'renderD128: Failed to initialise VAAPI connection: -1', radeon, /mesa-va-drivers/],
  ['h264_vaapi', 'refused', 'Driver does not support any RC mode', radeon, /^$/],
] as const)('advises on %s, %s: %s', (name, refusal, reason, devices, expected) => {
  expect(encoderAdvice({ name, refusal, reason }, { ...devices, renderNodes: [...devices.renderNodes] })).toMatch(expected);
});

it('distinguishes a device without a Vulkan driver from a host without a device', () => {
  const inSoftware = 'not used: llvmpipe (LLVM 15.0.6, 256 bits): in software; for tests, with FRAMEWRIGHT_COMPOSITOR=vulkan';
  expect(compositorAdvice(inSoftware, none)).toBe('');
  expect(compositorAdvice(inSoftware, nvidia)).toMatch(/nvidia_icd\.json/);
  expect(compositorAdvice('No Vulkan driver is installed.', radeon)).toMatch(/mesa-vulkan-drivers/);
  expect(compositorAdvice('libvulkan.so.1 is not installed or may not be loaded.', radeon)).toBe('apt: libvulkan1');
  expect(decoderAdvice('libav does not decode this video with it (Cannot load libnvcuvid.so.1 Failed loading nvcuvid.)')).toMatch(/compute and video/);
  expect(compositorAdvice('not used: GeForce: it draws something else than the CPU', nvidia)).toBe('');
});

it('reports that a device without an encoder composes and decodes, and that the CPU encodes', async () => {
  const refused = { available: false, reason: 'unsupported device', refusal: 'no-device' as const, variant: 0, ignoredOptions: [] };
  const found = {
    engineVersion: '',
    libraries: {},
    simd: '',
    compositors: [{ name: 'vulkan', available: true, reason: 'NVIDIA H100' }],
    interops: [],
    decodeInterops: [],
    decoders: [{ name: 'nvdec 0', codec: 'h264', available: true, reason: '' }],
    encoders: ['h264_nvenc', 'hevc_nvenc', 'av1_nvenc'].map((name) => ({ name, ...refused })),
  };
  const { engine } = loadConfig({});
  expect(await graphicsFinding(engine, found, nvidia)).toMatchObject({
    ok: true,
    detail: 'visible: NVIDIA; frames are decoded by the GPU where it is faster: h264 (nvdec 0), composed by the GPU, encoded by libx264, libx265, libsvtav1',
  });
  const off = { ...engine, compositor: 'cpu' as const, hardwareDecode: 'off' as const };
  expect(await graphicsFinding(off, found, nvidia)).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/decoded by the CPU, composed by the CPU/),
  });
});
