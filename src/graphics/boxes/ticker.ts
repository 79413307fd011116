import { layersOf } from '../text/paint.js';
import { type FrameClock, motionCurves } from './curves.js';
import type { Box } from './layout.js';
import type { ComponentPiece } from './piece.js';
import { splitFragments } from './split-text.js';
import type { SpritePainter } from './sprite-painter.js';

/** Maximum number of pieces; a text of more words repeats less often. */
const maxPieceCount = 600;

/** Draws a line of text that runs to the left through its box, again and again until the element ends. */
export async function drawTicker(box: Box, painter: SpritePainter, clock: FrameClock): Promise<ComponentPiece[]> {
  const { node, text } = box;
  if (text === undefined) return [];
  const { fragments, brush } = text;
  const left = Math.min(...fragments.map(({ x }) => x));
  const width = Math.max(...fragments.map((fragment) => fragment.x + fragment.width)) - left + brush.typography.fontSize * 1.6;
  const perFrame = (node.speed ?? 0) / clock.framesPerSecond;
  const words = splitFragments(fragments, 'words', brush);
  const count = Math.min(Math.ceil((perFrame * clock.frames + box.width) / width) + 1, Math.max(1, Math.floor(maxPieceCount / Math.max(1, words.length))));
  const { shiftX: _, ...rest } = motionCurves(node.motion, node.delayMs, box, box, clock);
  const pieces: ComponentPiece[] = [];
  for (const layer of layersOf(brush.typography)) {
    for (const word of words) {
      const sprite = await painter.drawText({ fragments: word, around: fragments, layer }, brush);
      if (sprite === undefined) continue;
      for (let copy = 0; copy < count; copy++) {
        const x = sprite.x - left + box.content.x + copy * width;
        const frames = visibleFrames(x, sprite.width, box, perFrame, clock.frames);
        if (frames === undefined) continue;
        pieces.push({
          kind: 'sprite',
          ...sprite,
          x,
          ...rest,
          shiftX: [
            { frame: 0, value: 0 },
            { frame: clock.frames, value: -perFrame * clock.frames },
          ],
          clip: { x: box.x, y: box.y, width: box.width, height: box.height },
          ...frames,
        });
      }
    }
  }
  return pieces;
}

/** Frames in which a word is within the box. */
function visibleFrames(x: number, width: number, box: Box, perFrame: number, frames: number): { start: number; frames: number } | undefined {
  const first = perFrame > 0 ? Math.max(0, Math.floor((x - box.x - box.width) / perFrame)) : 0;
  const last = perFrame > 0 ? Math.min(frames, Math.ceil((x + width - box.x) / perFrame) + 1) : frames;
  return last > first ? { start: first, frames: last - first } : undefined;
}
