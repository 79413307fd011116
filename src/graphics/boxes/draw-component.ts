import { mkdir } from 'node:fs/promises';
import type { SKRSContext2D } from '@napi-rs/canvas';
import { shownSource } from '../../outbound/index.js';
import type { Rect } from '../canvas/bitmap.js';
import { unite } from '../canvas/bitmap.js';
import { type Images, radiiOf, tracePath } from '../canvas/paint-box.js';
import { roundDensity } from '../canvas/surface.js';
import type { SceneNode } from '../components/index.js';
import type { FontCatalogue } from '../fonts/index.js';
import { decodePictures, type PictureSettings } from '../images/decode-images.js';
import { animateBox } from './animate.js';
import { drawCounter, widestCounterText } from './counter.js';
import { type Clock, motionCurves, openedWith } from './curves.js';
import { extentOf } from './extent.js';
import { type Box, layOutBoxes } from './layout.js';
import { paintTree } from './paint-tree.js';
import type { ComponentPiece } from './piece.js';
import { drawSplitText } from './split-text.js';
import { SpritePainter } from './sprite-painter.js';
import { TextBlock } from './text-block.js';

export interface DrawComponentOptions {
  /** Where sprites are kept. */
  folder: string;
  fonts: FontCatalogue;
  /** The element's box. */
  width: number;
  height: number;
  /** Pixels of the drawing to one of the canvas, for a component that is magnified; default 1. What is large gets less. */
  density?: number;
  fps: { num: number; den: number };
  /** How long the element is shown. */
  frames: number;
  /** Local files of the pictures that the settings name, by URL. */
  images: ReadonlyMap<string, string>;
  /** Of the process that decodes them. */
  sandboxMode: PictureSettings['mode'];
  signal?: AbortSignal;
  /** The element's path, for errors. */
  path: string;
}

/** Lays a component out and draws it: pieces back to front. */
export async function drawComponent(root: SceneNode | undefined, options: DrawComponentOptions): Promise<{ pieces: ComponentPiece[]; warnings: string[] }> {
  if (root === undefined) return { pieces: [], warnings: [] };
  await mkdir(options.folder, { recursive: true });
  const warnings = new Set<string>();
  const images = await loadImages(options, warnings);
  const viewport = { width: options.width, height: options.height };
  const makeText = (node: SceneNode): TextBlock | undefined => {
    if ((node.kind !== 'text' && node.kind !== 'counter') || node.text === undefined) return undefined;
    const text =
      node.kind === 'counter' ? { paragraphs: widestCounterText(node).map((line) => ({ text: line, faces: new Uint8Array(line.length) })) } : node.text;
    const block = new TextBlock(text, node, options.fonts, viewport, options.path);
    for (const warning of block.warnings) warnings.add(warning);
    return block;
  };
  const box = await layOutBoxes(root, viewport, makeText);
  const clock = { framesPerSecond: options.fps.num / options.fps.den, frames: options.frames };
  const drawer = new Drawer(new SpritePainter(options.folder, { ...viewport, density: roundDensity(options.density) }), images, clock);
  const pieces = await drawer.draw(box);
  return { pieces, warnings: [...warnings] };
}

async function loadImages({ images, sandboxMode, ...rest }: DrawComponentOptions, warnings: Set<string>): Promise<Images> {
  const pictures = await decodePictures([...images.values()], { ...rest, mode: sandboxMode });
  const loaded = [...images.keys()].map((url, index) => [url, pictures[index]] as const);
  for (const [url, picture] of loaded) if (picture === undefined) warnings.add(`the picture ${shownSource(url)} could not be read; it is left out`);
  return new Map(loaded.flatMap(([url, picture]) => (picture === undefined ? [] : [[url, picture] as const])));
}

function isApart({ node, children }: Box): boolean {
  if (node.motion.length > 0 || node.animate !== undefined || node.split !== undefined || node.kind === 'counter') return true;
  return node.kind === 'cutout' && children.some((child) => child.node.animate !== undefined);
}

function holdsApart(box: Box): boolean {
  return box.children.some((child) => isApart(child) || holdsApart(child));
}

/** What stands still between two moving parts shares one sprite. */
class Drawer {
  readonly #painter: SpritePainter;
  readonly #images: Images;
  readonly #clock: Clock;
  readonly #pieces: ComponentPiece[] = [];
  #waiting: Array<{ extent: Rect; paint: (context: SKRSContext2D) => void }> = [];

  constructor(painter: SpritePainter, images: Images, clock: Clock) {
    this.#painter = painter;
    this.#images = images;
    this.#clock = clock;
  }

  async draw(root: Box): Promise<ComponentPiece[]> {
    await this.#walk(root, undefined);
    await this.#flush();
    return this.#pieces;
  }

  async #walk(box: Box, window: Box | undefined): Promise<void> {
    if (isApart(box)) {
      await this.#flush();
      const pieces = await this.#drawApart(box, window);
      this.#pieces.push(...pieces.map((piece) => (window === undefined ? piece : this.#within(window, piece))));
      if (box.node.kind !== 'cutout') await this.#walkApartWithin(box, window);
      return;
    }
    if (!holdsApart(box)) {
      this.#wait(box, window, false);
      return;
    }
    this.#wait(box, window, true);
    const inner = box.node.style.clips ? box : window;
    for (const child of box.children) await this.#walk(child, inner);
  }

  /** Moving parts in a moving box go their own ways, above it. */
  async #walkApartWithin(box: Box, window: Box | undefined): Promise<void> {
    const inner = box.node.style.clips ? box : window;
    for (const child of box.children) {
      if (isApart(child)) await this.#walk(child, inner);
      else await this.#walkApartWithin(child, inner);
    }
  }

  #wait(box: Box, window: Box | undefined, alone: boolean): void {
    this.#waiting.push({
      extent: extentOf(box, isApart, alone),
      paint: (context) => {
        context.save();
        if (window !== undefined) clipTo(context, window);
        paintTree(context, box, this.#images, isApart, { turns: true, alone });
        context.restore();
      },
    });
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const extent = unite(waiting.map((one) => one.extent));
    if (extent === undefined) return;
    const sprite = await this.#painter.draw(extent, (context) => {
      for (const { paint } of waiting) paint(context);
    });
    if (sprite) this.#pieces.push({ kind: 'sprite', ...sprite });
  }

  #within(window: Box, piece: ComponentPiece): ComponentPiece {
    return { ...openedWith(piece, window, window.node.motion, window.node.delayMs, this.#clock), clip: rectOf(window) };
  }

  async #drawApart(box: Box, window: Box | undefined): Promise<ComponentPiece[]> {
    const { node } = box;
    if (node.kind === 'counter') return [...(await this.#decoration(box)), ...(await drawCounter(box, this.#painter, this.#clock))];
    if (node.split !== undefined) return [...(await this.#decoration(box)), ...(await drawSplitText(box, this.#painter, this.#clock))];
    if (node.animate !== undefined || node.kind === 'cutout') return animateBox(box, this.#painter, this.#images, this.#clock);
    const turns = !node.motion.some(({ property }) => property === 'rotate');
    const sprite = await this.#painter.draw(extentOf(box, isApart), (context) => {
      // The engine's windows have square corners.
      if (window !== undefined && radiiOf(window.node.style, window).some(({ x, y }) => Math.min(x, y) > 0.5)) clipTo(context, window);
      paintTree(context, box, this.#images, isApart, { turns });
    });
    if (sprite === undefined) return [];
    return [{ kind: 'sprite', ...sprite, ...motionCurves(node.motion, node.delayMs, box, sprite, this.#clock, turns ? 0 : node.style.rotation) }];
  }

  async #decoration(box: Box): Promise<ComponentPiece[]> {
    const own = { ...box, text: undefined } as unknown as Box;
    const sprite = await this.#painter.draw(extentOf(own, isApart, true), (context) =>
      paintTree(context, own, this.#images, isApart, { turns: true, alone: true }),
    );
    return sprite ? [{ kind: 'sprite', ...sprite }] : [];
  }
}

function clipTo(context: SKRSContext2D, window: Box): void {
  tracePath(context, window, radiiOf(window.node.style, window));
  context.clip();
}

function rectOf({ x, y, width, height }: Rect): Rect {
  return { x, y, width, height };
}
