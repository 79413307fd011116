/** Timelines that use all of schema/timeline.schema.json, small enough to be composed in a moment. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const schema = JSON.parse(readFileSync(new URL('../../schema/timeline.schema.json', import.meta.url), 'utf8'));
const keys = (from, to) => [
  { frame: 0, value: from, easing: 'easeOutElastic' },
  { frame: 6, value: to },
];
const box = { x: 4, y: 3, width: 40, height: 24 };
const clip = (more) => ({ source: 0, start: 0, frames: 10, box, ...more });
const rich = clip({
  anchor: { x: 0.2, y: 1 },
  crop: { x: 0.1, y: 0, width: 0.5, height: 1 },
  clip: { x: 0, y: 0, width: 30, height: 30 },
  x: keys(-20, 20),
  y: 3,
  scale: keys(1, 2.5),
  rotation: keys(0, 720),
  opacity: keys(0, 1),
  fadeIn: 3,
  fadeOut: 2,
  flipX: true,
  flipY: true,
  piece: { rotation: keys(-30, 0), x: 2, scaleX: keys(0, 1), anchor: { x: 0, y: 0 } },
  reveal: { left: 0.25, bottom: keys(1, 0) },
  cornerRadius: 6,
  blur: keys(8, 0),
  sharpen: 0.5,
  vignette: { amount: 0.7, size: 0.2 },
  grain: 0.3,
  perspective: {
    scale: 1.5,
    x: 100,
    y: 50,
    distance: 400,
    rotateX: 20,
    rotateY: [
      { frame: 0, value: -60 },
      { frame: 9, value: 0 },
    ],
  },
  shadows: [
    { color: '#00000080', blur: 6, x: 3, y: 4.5 },
    { color: '#ff0000ff', intensity: 2 },
  ],
  motionBlur: 0.5,
  blend: 'color-dodge',
  mask: { source: 1, media: { in: 0, loops: -1 }, region: { x: 0, y: 0, width: 1, height: 1 } },
  chromaKey: { color: '#00ff10ff', tolerance: 25, softness: 0.7, despill: 0.8, choke: 0.1, view: 'result' },
  grade: { source: 6 },
  correction: { brightness: 0.1, contrast: -2, gamma: 1.5, saturation: 3 },
});

function timeline(sections, more = {}) {
  return {
    version: 1,
    canvas: { width: 64, height: 36, fps: { num: 25, den: 1 }, frames: sections.reduce((sum, { frames }) => sum + frames, 0) },
    sources: [
      { kind: 'image', path: '/a.png', label: 'scenes.0.elements.0' },
      { kind: 'video', path: '/b.mp4', label: 'b' },
      { kind: 'sprite', path: '/c', label: 'c' },
      { kind: 'audio', path: '/d', label: 'd' },
      { kind: 'sequence', path: '/e', label: 'e' },
      { kind: 'animation', path: '/f', label: 'f' },
      { kind: 'colorTable', path: '/g', label: 'g' },
    ],
    under: [],
    sections,
    over: [],
    audio: [],
    encode: { encoder: 'libx264', preset: 'veryfast', footagePreset: 'slow', crf: 20, keyframeSeconds: 5, audioBitrate: 192_000 },
    ...more,
  };
}
const section = (start, clips, more = {}) => ({ label: `scene_${start}`, start, frames: 10, background: '#10203040', clips, ...more });

/** One of each family of transitions. */
const styles = [
  'fade',
  'wipeleft',
  'circleopen',
  'pixelize',
  'radial',
  'hblur',
  'slideup',
  'dissolve',
  'squeezeh',
  'zoomin',
  'fadegrays',
  'diagtl',
  'push-left',
  'whip-pan-right',
  'whip-pan-up',
  'zoom-blur',
  'glitch',
  'light-leak',
  'film-burn',
  'page-curl-left',
];

/** Writes the timelines and a dictionary of the schema's words for libFuzzer. */
export function timelineSeeds(folder) {
  mkdirSync(folder, { recursive: true });
  const seeds = {
    plain: timeline([section(0, [clip({})])]),
    rich: timeline([section(0, [rich, clip({ fill: '#ff00ff80', source: undefined })])]),
    groups: timeline([
      section(0, [
        {
          ...rich,
          source: undefined,
          clips: [
            clip({}),
            { start: 2, frames: 5, box, opacity: 0.5, clips: [clip({ source: 1, media: { in: 0 } }), clip({ fill: '#00ff0080', source: undefined })] },
          ],
        },
        clip({ perspective: { map: [1, 0.2, 3, -0.1, 0.9, 5, 0.001, 0.002, 1] } }),
      ]),
    ]),
    video: timeline([section(0, [clip({ source: 1, media: { in: 0.5, out: 2, loops: 3 } })])], {
      audio: [
        {
          source: 3,
          start: 2,
          frames: 6,
          gain: keys(0, 1),
          fadeIn: 1,
          fadeOut: 1,
          media: { in: 0, loops: -1 },
          balance: keys(-0.5, 1),
          limiter: { ceiling: -3, gain: 6 },
          pitch: 3,
          equalizer: [{ type: 'peak', frequency: 1000, gain: 6, q: 1 }],
          compressor: { threshold: -24, ratio: 3, attack: 0.005, release: 0.15, knee: 6, makeup: 8 },
          denoise: 15,
          reverb: { size: 0.25, decay: 0.5, wet: 0.2, preDelay: 0.005, damping: 0.5 },
        },
      ],
      over: [rich],
      under: [clip({ source: 2 })],
    }),
    ...Object.fromEntries(
      styles.map((style) => [
        `transition-${style}`,
        timeline([section(0, [clip({})]), section(10, [clip({ source: 2 })], { transition: { style, frames: 6 } })]),
      ]),
    ),
  };
  for (const [name, value] of Object.entries(seeds)) writeFileSync(join(folder, `${name}.json`), JSON.stringify(value));
  return Object.keys(seeds).map((name) => join(folder, `${name}.json`));
}

export function timelineWords(path) {
  const words = new Set(['-1', '0', '1e308', '1e-308', '-0', '99999999999999999999', 'null', 'true', '[]', '{}', '"#ffffffff"']);
  JSON.stringify(schema, (key, value) => {
    if (key !== '' && !/^\d+$/.test(key)) words.add(`"${key}":`);
    if (typeof value === 'string' && value.length < 24) words.add(`"${value}"`);
    return value;
  });
  const quoted = [...words].map((word) => `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`);
  writeFileSync(path, `${quoted.filter((word) => !/[^\x20-\x7e]/.test(word)).join('\n')}\n`);
}
