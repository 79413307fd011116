/** The moving sheets of the reference: small movies side by side, one for each name that a script can choose. */
import { readFileSync } from 'node:fs';

const schema = JSON.parse(readFileSync(new URL('../../schema/movie.schema.json', import.meta.url), 'utf8')).$defs;
const pack = JSON.parse(readFileSync(new URL('../../packs/motion/pack.json', import.meta.url), 'utf8'));

const size = { width: 640, height: 360, fps: 24 };
const [photo, dusk, night] = ['mountains-dawn.jpg', 'lake-dusk.jpg', 'mountains-night.jpg'];
const ground = (src) => ({ type: 'image', src, resize: 'cover' });
const namesOf = ({ enum: names }) => names.filter((name) => typeof name === 'string');

const title = { type: 'text', text: 'Alpine dawn', font: 'Space Grotesk', font_weight: 700, font_size: 84, color: '#ffffff' };
const animated = (label, animate, seconds) => ({
  label,
  script: { ...size, scenes: [{ duration: seconds, background: '#1c2333', elements: [{ ...title, duration: seconds, animate }] }] },
});
/** Comes in and leaves by the same preset where there is an exit of that name. */
const entrances = namesOf(schema.entrancePreset).map((name) =>
  animated(name, { in: { type: name, duration: 0.9 }, ...(namesOf(schema.exitPreset).includes(name) && { out: { type: name, duration: 0.7 } }) }, 3),
);
const loops = namesOf(schema.loopPreset).map((name) => animated(`loop: ${name}`, { loop: name }, 3));

const words = ['Every word at its time', 'loud words are LARGER'].map(
  (text, index) => `${index + 1}\n00:00:0${2 * index},000 --> 00:00:0${2 * index + 2},000\n${text}\n`,
);
const captions = namesOf(schema.subtitleSettings.properties.style).map((style) => ({
  label: style,
  script: {
    ...size,
    scenes: [
      {
        duration: 4,
        elements: [ground(dusk), { type: 'subtitles', captions: words.join('\n'), settings: { style, 'font-size': 52, position: 'center-center' } }],
      },
    ],
  },
}));

// Aliases and names that require a direction or something of their scenes are left out.
const aliases = new Set(['wipe', 'slide', 'smooth', 'cover', 'reveal', 'push', 'whip-pan', 'page-curl', 'cross-dissolve', 'zoom', 'morph']);
const transitionNames = namesOf(schema.transitionStyle).filter((name) => !aliases.has(name));
const transitions = transitionNames.map((style) => ({
  label: style,
  script: {
    ...size,
    scenes: [
      { duration: 1.4, elements: [ground(photo)] },
      { duration: 1.8, elements: [ground(night)], transition: { style, duration: 1.2, ...(style === 'luma' && { src: dusk }) } },
    ],
  },
}));

const backgrounds = [night, dusk, photo];
const components = pack.components.map((name, index) => ({
  label: `motion/${name}`,
  script: {
    width: 960,
    height: 540,
    fps: 24,
    scenes: [{ duration: 4, elements: [ground(backgrounds[index % backgrounds.length]), { type: 'component', component: `motion/${name}` }] }],
  },
}));

const sheet = (topic, name, caption, columns, movingTiles) => ({ topic, name, caption, columns, movingTiles, extension: 'webp' });

export const movingSheets = {
  components: sheet('component', 'motion-moving', 'Every component of the pack motion, from its entrance to its exit', 5, components),
  transitions: sheet('transitions', 'transitions-moving', 'Every transition', 8, transitions),
  animations: sheet('Motion', 'animations-moving', 'The presets of animate, on a text', 5, [...entrances, ...loops]),
  captions: sheet('subtitles', 'captions-moving', 'The styles of subtitles', 4, captions),
};
