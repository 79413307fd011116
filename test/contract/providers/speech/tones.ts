/** Sound of known places: 16 bit, one channel; 0 Hz is silence. */
export function tonePcm(rate: number, tones: ReadonlyArray<{ seconds: number; hertz: number; level?: number }>): Buffer {
  const samples = tones.flatMap(({ seconds, hertz, level = 0.1 }) =>
    Array.from({ length: Math.round(seconds * rate) }, (_, i) => Math.round(level * 32_767 * Math.sin((2 * Math.PI * hertz * i) / rate))),
  );
  const pcm = Buffer.alloc(samples.length * 2);
  for (const [i, sample] of samples.entries()) pcm.writeInt16LE(sample, i * 2);
  return pcm;
}
