import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import type { Config } from '../../config/index.js';
import { AppError } from '../../errors/index.js';
import { type Component, loadPacks } from '../../graphics/components/index.js';
import { planMovie } from '../../render/index.js';
import { withLocalRender } from '../local-render.js';

const fps = 30;
const gap = 8;

interface Frame {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** Writes `<pack>-<name>.png` for each component: the frames of its preview side by side. `only`: a component or pack. */
export async function renderPreviews(
  config: Config,
  folder: string,
  only: string | undefined,
  onDrawn: (image: { component: string; path: string }) => void,
): Promise<void> {
  const { packs } = loadPacks(config.packs.folder);
  const chosen = packs.flatMap((pack) =>
    pack.components.filter(({ id }) => only === undefined || id === only || pack.name === only).map((component) => ({ pack, component })),
  );
  if (chosen.length === 0)
    throw new AppError('INVALID_REQUEST', { message: `There is no component or pack "${only}". List them with "framewright packs list".` });
  await mkdir(folder, { recursive: true });
  for (const { pack, component } of chosen) {
    const path = resolve(folder, `${component.id.replace('/', '-')}.png`);
    // The preview refers to images in its pack.
    const frames = await composeFrames(component, join(pack.folder, 'preview.json'), config);
    await writeFile(path, contactSheet(frames));
    onDrawn({ component: component.id, path });
  }
}

/** A movie that shows the component's preview. */
function previewScript({ id, preview }: Component): unknown {
  const { width, height, seconds, settings, background } = preview;
  const scene = { duration: seconds, background, elements: [{ type: 'component', component: id, settings }] };
  return { width, height, fps, scenes: [scene] };
}

async function composeFrames(component: Component, moviePath: string, config: Config): Promise<Frame[]> {
  const { signal } = new AbortController();
  return withLocalRender(moviePath, config, async (parts, workDir) => {
    const { timeline } = await planMovie({ script: previewScript(component), workDir, signal }, parts);
    const frames: Frame[] = [];
    for (const second of component.preview.at) {
      const frame = Math.min(timeline.canvas.frames - 1, Math.round(second * fps));
      frames.push(await parts.engine.composeFrame(Buffer.from(JSON.stringify(timeline)), frame, { signal }));
    }
    return frames;
  });
}

function contactSheet(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  if (first === undefined) throw new Error('the preview has no frames');
  const canvas = createCanvas(first.width * frames.length + gap * (frames.length - 1), first.height);
  const context = canvas.getContext('2d');
  for (const [i, { width, height, pixels }] of frames.entries()) {
    const image = context.createImageData(width, height);
    image.data.set(pixels);
    context.putImageData(image, i * (first.width + gap), 0);
  }
  return canvas.encodeSync('png');
}
