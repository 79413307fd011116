/**
 * Program run in the sandbox by draw-lottie.ts: draws frames of an untrusted Lottie file. Its argument is a LottieTask; each distinct image
 * becomes `<number>.png` in the task's folder, and `frames.json` has the number of the image at each time.
 */

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type * as Library from '@napi-rs/canvas';
import type { LottieTask } from './draw-lottie.js';

const { library, folder, file, width, height, times } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as LottieTask;
const { createCanvas, LottieAnimation } = createRequire(import.meta.url)(library) as typeof Library;

const animation = LottieAnimation.loadFromData(readFileSync(file));
const canvas = createCanvas(width, height);
const context = canvas.getContext('2d');
const images = new Map<string, number>();
const frames: number[] = [];
for (const time of times) {
  context.clearRect(0, 0, width, height);
  animation.seekTime(time);
  animation.render(context, { x: 0, y: 0, width, height });
  const key = createHash('sha1').update(canvas.data()).digest('base64');
  let image = images.get(key);
  if (image === undefined) {
    image = images.size;
    images.set(key, image);
    writeFileSync(join(folder, `${image}.png`), canvas.encodeSync('png'));
  }
  frames.push(image);
  // The pixels that data() handed out are freed by the event loop.
  await nextTurn();
}
writeFileSync(join(folder, 'frames.json'), JSON.stringify(frames));
