import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A program: `render.mjs PACKAGES JOB` renders a spec with the editly that was installed in the folder PACKAGES. */

const [packages, job] = process.argv.slice(2);
const load = createRequire(join(packages, 'package.json'));
const { default: editly } = await import(pathToFileURL(load.resolve('editly')));

/** As its own image layers load theirs. */
const loadImage = (fabric, path) => new Promise((resolve) => fabric.util.loadImage(pathToFileURL(path).href, resolve));

/** Its own overlays neither move nor fade: a layer that is a function can. */
const movingImageLayer = ({ path, marks }, seconds) => ({
  type: 'fabric',
  async func({ fabric }) {
    const loaded = await loadImage(fabric, path);
    return {
      onRender(progress, canvas) {
        const now = stateAt(marks, progress * seconds);
        if (now !== undefined) canvas.add(new fabric.Image(loaded, { left: now.x, top: now.y, opacity: now.opacity }));
      },
    };
  },
});

/** Between two marks as far along as the time is; undefined before the first one. */
function stateAt(marks, time) {
  const next = marks.findIndex((mark) => mark.time > time);
  if (next === 0) return undefined;
  if (next < 0) return marks.at(-1);
  const [from, to] = [marks[next - 1], marks[next]];
  const along = (time - from.time) / (to.time - from.time);
  return Object.fromEntries(['x', 'y', 'opacity'].map((key) => [key, from[key] + (to[key] - from[key]) * along]));
}

const spec = JSON.parse(readFileSync(job, 'utf8'));
const clips = spec.clips.map((clip) => ({
  ...clip,
  layers: clip.layers.map((layer) => (layer.type === 'moving-image' ? movingImageLayer(layer, clip.duration) : layer)),
}));
await editly({ ...spec, clips });
process.exit();
