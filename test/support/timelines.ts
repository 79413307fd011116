/** A timeline with one second of video and sound from one source. */
export function timelineOf(source: { kind: 'image' | 'video' | 'audio'; path: string }, frames = 10, size = { width: 64, height: 48 }): Buffer {
  const media = source.kind === 'image' ? {} : { media: { in: 0 } };
  const clips = source.kind === 'audio' ? [] : [{ source: 0, start: 0, frames, box: { x: 0, y: 0, ...size }, ...media }];
  return Buffer.from(
    JSON.stringify({
      version: 1,
      canvas: { ...size, fps: { num: 10, den: 1 }, frames },
      sources: [{ ...source, label: 'scenes.0.elements.0' }],
      under: [],
      sections: [{ label: 'scene_1', start: 0, frames, background: '#ff0000ff', clips }],
      over: [],
      audio: source.kind === 'image' ? [] : [{ source: 0, start: 0, frames, gain: 1, media: { in: 0 } }],
      encode: { encoder: 'libx264', preset: 'ultrafast', crf: 20, keyframeSeconds: 5, audioBitrate: 128000 },
    }),
  );
}
