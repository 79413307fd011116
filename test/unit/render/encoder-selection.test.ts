import { expect, it } from 'vitest';
import type { EncoderProbeResult } from '../../../src/engine/index.js';
import { createEncoderSelection } from '../../../src/render/index.js';

type Refusal = EncoderProbeResult['refusal'];

/** A host with these probe results of hardware encoders; all others have no device. */
function host(answers: Record<string, Refusal>) {
  const tried: string[] = [];
  return {
    tried,
    probeEncoder: async (name: string): Promise<EncoderProbeResult> => {
      tried.push(name);
      const refusal = answers[name] ?? 'no-device';
      return { name, available: refusal === '', reason: refusal === '' ? '' : `no ${name} here`, refusal, variant: 1, ignoredOptions: [] };
    },
  };
}

it('selects NVENC, then VAAPI, then software, and probes each once', async () => {
  const nothing = host({});
  const choice = createEncoderSelection('auto');
  expect(await choice.select('h264', nothing)).toBe('libx264');
  expect(await choice.select('h264', nothing)).toBe('libx264');
  expect(nothing.tried).toEqual(['h264_nvenc', 'h264_vaapi']);
  expect(await choice.select('av1', nothing)).toBe('libsvtav1');
  expect(await createEncoderSelection('auto').select('hevc', host({ hevc_vaapi: '' }))).toBe('hevc_vaapi');
  expect(await createEncoderSelection('auto').select('hevc', host({ hevc_vaapi: '', hevc_nvenc: '' }))).toBe('hevc_nvenc');
});

it('selects hardware whose sessions are all in use', async () => {
  expect(await createEncoderSelection('auto').select('h264', host({ h264_nvenc: 'no-session' }))).toBe('h264_nvenc');
});

it.each([
  ['software', 'hevc', 'libx265'],
  ['nvenc', 'hevc', 'hevc_nvenc'],
  ['vaapi', 'hevc', 'libx265'],
  ['h264_nvenc', 'h264', 'h264_nvenc'],
  ['h264_nvenc', 'hevc', 'hevc_nvenc'],
  ['libx264', 'h264', 'libx264'],
  ['libx264', 'av1', 'libsvtav1'],
] as const)('with FRAMEWRIGHT_ENCODER=%s encodes %s by %s', async (wanted, codec, encoder) => {
  expect(await createEncoderSelection(wanted).select(codec, host({ h264_nvenc: '', hevc_nvenc: '' }))).toBe(encoder);
});

it('reports each probe once, and probes again after invalidate', async () => {
  const probes: string[] = [];
  const choice = createEncoderSelection('auto', ({ name, refusal }) => probes.push(`${name} ${refusal}`));
  const there = host({ h264_nvenc: '' });
  await choice.select('h264', there);
  await choice.select('h264', there);
  choice.invalidate('h264_nvenc');
  await choice.select('h264', there);
  expect(probes).toEqual(['h264_nvenc ', 'h264_nvenc ']);
});

it('checkRequired fails with the reason of the driver when the configured encoder cannot be opened', async () => {
  await expect(createEncoderSelection('h264_vaapi').checkRequired(host({}))).rejects.toThrow(
    'FRAMEWRIGHT_ENCODER is h264_vaapi, which cannot be opened on this host (h264_vaapi: no h264_vaapi here).',
  );
  await expect(createEncoderSelection('nvenc').checkRequired(host({}))).rejects.toThrow(/h264_nvenc: .*; hevc_nvenc: .*; av1_nvenc: /);
  await createEncoderSelection('nvenc').checkRequired(host({ hevc_nvenc: '' }));
  for (const wanted of ['auto', 'software', 'libx264'] as const) {
    const asked = host({});
    await createEncoderSelection(wanted).checkRequired(asked);
    expect(asked.tried).toEqual([]);
  }
});

it('tells the configuration that the probe of a hardware encoder opened', async () => {
  const choice = createEncoderSelection('auto');
  const encoder = await choice.select('h264', host({ h264_nvenc: '' }));
  expect(await choice.variantOf(encoder)).toBe(1);
  expect(await choice.variantOf('libx264')).toBeUndefined();
});
