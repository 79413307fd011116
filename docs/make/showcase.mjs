/** What the moving sheets and the contact sheets show: one small movie for each name that a script can choose, in any shape. */
import { readFileSync } from 'node:fs';

const schema = JSON.parse(readFileSync(new URL('../../schema/movie.schema.json', import.meta.url), 'utf8')).$defs;
const pack = JSON.parse(readFileSync(new URL('../../packs/motion/pack.json', import.meta.url), 'utf8'));

const fps = 24;
const [photo, dusk, night] = ['mountains-dawn.jpg', 'lake-dusk.jpg', 'mountains-night.jpg'];
const ground = (src) => ({ type: 'image', src, resize: 'cover' });
const namesOf = ({ enum: names }) => names.filter((name) => typeof name === 'string');

const title = { type: 'text', text: 'Alpine dawn', font: 'Space Grotesk', font_weight: 700, font_size: '13vw', color: '#ffffff' };
const animated = (label, animate, moments) => ({
  label,
  moments,
  script: (size) => ({ ...size, fps, scenes: [{ duration: 3, background: '#1c2333', elements: [{ ...title, duration: 3, animate }] }] }),
});
const exits = namesOf(schema.exitPreset);
/** Comes in and leaves by the same preset where there is an exit of that name. */
const entrances = namesOf(schema.entrancePreset).map((name) =>
  animated(name, { in: { type: name, duration: 0.9 }, ...(exits.includes(name) && { out: { type: name, duration: 0.7 } }) }, [0.3, 1.5, 2.7]),
);
const loops = namesOf(schema.loopPreset).map((name) => animated(`loop: ${name}`, { loop: name }, [0.4, 1, 1.6]));
export const animations = [...entrances, ...loops];

const cues = ['Every word at its time', 'loud words are LARGER'].map(
  (text, index) => `${index + 1}\n00:00:0${2 * index},000 --> 00:00:0${2 * index + 2},000\n${text}\n`,
);
export const captions = namesOf(schema.subtitleSettings.properties.style).map((style) => ({
  label: style,
  moments: [0.4, 1.3, 2.7],
  script: (size) => ({
    ...size,
    fps,
    scenes: [
      {
        duration: 4,
        elements: [
          ground(dusk),
          { type: 'subtitles', captions: cues.join('\n'), settings: { style, 'font-size': size.width / 12, position: 'center-center' } },
        ],
      },
    ],
  }),
}));

// Aliases and names that require a direction or something of their scenes are left out.
const aliases = new Set(['wipe', 'slide', 'smooth', 'cover', 'reveal', 'push', 'whip-pan', 'page-curl', 'cross-dissolve', 'zoom', 'morph']);
export const transitions = namesOf(schema.transitionStyle)
  .filter((name) => !aliases.has(name))
  .map((style) => ({
    label: style,
    moments: [1.7, 2, 2.3],
    script: (size) => ({
      ...size,
      fps,
      scenes: [
        { duration: 1.4, elements: [ground(photo)] },
        { duration: 1.8, elements: [ground(night)], transition: { style, duration: 1.2, ...(style === 'luma' && { src: dusk }) } },
      ],
    }),
  }));

const backgrounds = [night, dusk, photo];
export const components = pack.components.map((name, index) => ({
  label: `motion/${name}`,
  moments: [0.6, 2, 3.75],
  script: (size) => ({
    ...size,
    fps,
    scenes: [{ duration: 4, elements: [ground(backgrounds[index % backgrounds.length]), { type: 'component', component: `motion/${name}` }] }],
  }),
}));
