/** The moving sheets and the contact sheets of the reference. */
import { animations, captions, components, transitions } from './showcase.mjs';

const wide = { width: 960, height: 540 };
const moving = (topic, name, caption, columns, list) => ({
  topic,
  name,
  caption,
  columns,
  movingTiles: list.map(({ label, script }) => ({ label, script: script(wide) })),
  extension: 'webp',
});

export const movingSheets = {
  components: moving('component', 'motion-moving', 'Every component of the pack motion, from its entrance to its exit', 5, components),
  transitions: moving('transitions', 'transitions-moving', 'Every transition', 8, transitions),
  animations: moving('Motion', 'animations-moving', 'The presets of animate, on a text', 5, animations),
  captions: moving('subtitles', 'captions-moving', 'The styles of subtitles', 4, captions),
};

/** Three moments in three shapes of everything in a list; tiles are `height` pixels high. */
const contact = (topic, name, caption, columns, height, entries) => ({ topic, name, caption, columns, height, entries, extension: 'webp' });

export const contactSheets = {
  components: contact('component', 'motion-shapes', 'The components of the pack motion at three moments in three shapes', 2, 72, components),
  transitions: contact('transitions', 'transitions-shapes', 'Transitions at three moments in three shapes', 3, 48, transitions),
  animations: contact('Motion', 'animations-shapes', 'The presets of animate at three moments in three shapes', 2, 72, animations),
  captions: contact('subtitles', 'captions-shapes', 'The styles of subtitles at three moments in three shapes', 2, 72, captions),
};
