import { mkdir } from 'node:fs/promises';
import type { SKRSContext2D } from '@napi-rs/canvas';
import { redactSource } from '../../outbound/index.js';
import type { Rect } from '../canvas/bitmap.js';
import { unite } from '../canvas/bitmap.js';
import { type Images, radiiOf, tracePath } from '../canvas/paint-box.js';
import { roundDensity } from '../canvas/surface.js';
import type { SceneNode } from '../components/index.js';
import type { FontCatalogue } from '../fonts/index.js';
import { type DecodedImage, type DecodeOptions, decodeImages } from '../images/decode-images.js';
import { animateBox } from './animate.js';
import { drawArc } from './charts/arc.js';
import { drawPie } from './charts/pie.js';
import { drawCounter, widestCounterText } from './counter.js';
import { clipByReveal, type FrameClock, motionCurves } from './curves.js';
import { extentOf } from './extent.js';
import { followAncestors } from './follow.js';
import { type Box, layoutBoxes } from './layout.js';
import { paintTree } from './paint-tree.js';
import type { ComponentPiece } from './piece.js';
import { scheduleMotion } from './schedule.js';
import { scrollContent } from './scroll.js';
import { drawSplitText } from './split-text.js';
import { SpritePainter } from './sprite-painter.js';
import { TextBlock } from './text-block.js';
import { drawTicker } from './ticker.js';

/** Inputs of drawComponent(). */
export interface DrawComponentOptions {
  /** Folder for sprite files; created if missing. */
  folder: string;
  fonts: FontCatalogue;
  /** Size of the element's box in canvas pixels. */
  width: number;
  height: number;
  /** Sprite pixels per canvas pixel, for components that are magnified; default 1. Large sprites get less. */
  density?: number;
  fps: { num: number; den: number };
  /** Number of frames for which the element is shown. */
  frames: number;
  /** Local files of the images in the settings, by URL. */
  images: ReadonlyMap<string, string>;
  /** Sandbox mode of the process that decodes the images. */
  sandboxMode: DecodeOptions['mode'];
  signal?: AbortSignal;
  /** The element's path, for errors. */
  path: string;
}

/** Lays out and draws a component; returns its pieces back to front. */
export async function drawComponent(root: SceneNode | undefined, options: DrawComponentOptions): Promise<{ pieces: ComponentPiece[]; warnings: string[] }> {
  if (root === undefined) return { pieces: [], warnings: [] };
  await mkdir(options.folder, { recursive: true });
  const warnings = new Set<string>();
  const images = await loadImages(options, warnings);
  const viewport = { width: options.width, height: options.height };
  const makeText = (node: SceneNode): TextBlock | undefined => {
    if ((node.kind !== 'text' && node.kind !== 'counter' && node.kind !== 'ticker') || node.text === undefined) return undefined;
    const text =
      node.kind === 'counter' ? { paragraphs: widestCounterText(node).map((line) => ({ text: line, faces: new Uint8Array(line.length) })) } : node.text;
    const block = new TextBlock(text, node, options.fonts, viewport, options.path);
    for (const warning of block.warnings) warnings.add(warning);
    return block;
  };
  const clock = { framesPerSecond: options.fps.num / options.fps.den, frames: options.frames };
  const durationMs = (clock.frames / clock.framesPerSecond) * 1000;
  const box = scrollContent(await layoutBoxes(scheduleMotion(root, clock), viewport, makeText), durationMs);
  const drawer = new Drawer(new SpritePainter(options.folder, { ...viewport, density: roundDensity(options.density) }), images, clock);
  const pieces = await drawer.draw(box);
  return { pieces, warnings: [...warnings] };
}

async function loadImages({ images, sandboxMode, ...rest }: DrawComponentOptions, warnings: Set<string>): Promise<Images> {
  const decoded = await decodeImages([...images.values()], { ...rest, mode: sandboxMode });
  const loaded = new Map<string, DecodedImage>();
  for (const [index, url] of [...images.keys()].entries()) {
    const image = decoded[index];
    if (image === undefined) warnings.add(`the image ${redactSource(url)} could not be read; it is left out`);
    else loaded.set(url, image);
  }
  return loaded;
}

/** Kinds that are drawn as several pieces. */
const piecewiseKinds: readonly string[] = ['counter', 'arc', 'pie', 'ticker'];

function isSeparate({ node, children }: Box): boolean {
  if (node.motion.length > 0 || node.animate !== undefined || node.split !== undefined || piecewiseKinds.includes(node.kind)) return true;
  return node.kind === 'cutout' && children.some((child) => child.node.animate !== undefined);
}

function hasSeparate(box: Box): boolean {
  return box.children.some((child) => isSeparate(child) || hasSeparate(child));
}

/** What applies to the pieces within a box. */
interface Around {
  /** The box that clips them. */
  window: Box | undefined;
  /** Moving boxes whose motion they follow, outermost first. */
  ancestors: readonly Box[];
}

/** Cuts a tree into sprites: static boxes between two moving parts share one sprite. */
class Drawer {
  readonly #painter: SpritePainter;
  readonly #images: Images;
  readonly #clock: FrameClock;
  readonly #pieces: ComponentPiece[] = [];
  #pending: Array<{ extent: Rect; paint: (context: SKRSContext2D) => void }> = [];

  constructor(painter: SpritePainter, images: Images, clock: FrameClock) {
    this.#painter = painter;
    this.#images = images;
    this.#clock = clock;
  }

  async draw(root: Box): Promise<ComponentPiece[]> {
    await this.#walk(root, { window: undefined, ancestors: [] });
    await this.#flush();
    return this.#pieces;
  }

  async #walk(box: Box, around: Around): Promise<void> {
    const { window } = around;
    if (isSeparate(box)) {
      await this.#flush();
      const pieces = await this.#drawSeparate(box, window);
      for (const piece of pieces) this.#pieces.push(followAncestors(window === undefined ? piece : this.#within(window, piece), around.ancestors, this.#clock));
      if (box.node.kind === 'cutout' || box.node.kind === 'pie') return;
      const ancestors = box.node.movesChildren ? [...around.ancestors, box] : around.ancestors;
      await this.#walkSeparateWithin(box, { ...around, ancestors });
      return;
    }
    if (!hasSeparate(box)) {
      this.#queue(box, window, false);
      return;
    }
    this.#queue(box, window, true);
    const inner = box.node.style.clips ? { ...around, window: box } : around;
    for (const child of box.children) await this.#walk(child, inner);
  }

  /** Moving parts inside a moving box become pieces above it; they follow its motion only if it moves its children. */
  async #walkSeparateWithin(box: Box, around: Around): Promise<void> {
    const inner = box.node.style.clips ? { ...around, window: box } : around;
    for (const child of box.children) {
      if (isSeparate(child)) await this.#walk(child, inner);
      else await this.#walkSeparateWithin(child, inner);
    }
  }

  #queue(box: Box, window: Box | undefined, alone: boolean): void {
    this.#pending.push({
      extent: extentOf(box, isSeparate, alone),
      paint: (context) => {
        context.save();
        if (window !== undefined) clipToBox(context, window);
        paintTree(context, box, this.#images, isSeparate, { rotates: true, alone });
        context.restore();
      },
    });
  }

  async #flush(): Promise<void> {
    const waiting = this.#pending;
    this.#pending = [];
    const extent = unite(waiting.map((one) => one.extent));
    if (extent === undefined) return;
    const sprite = await this.#painter.draw(extent, (context) => {
      for (const { paint } of waiting) paint(context);
    });
    if (sprite) this.#pieces.push({ kind: 'sprite', ...sprite });
  }

  #within(window: Box, piece: ComponentPiece): ComponentPiece {
    return { ...clipByReveal(piece, window, window.node.motion, window.node.delayMs, this.#clock), clip: rectOf(window) };
  }

  async #drawSeparate(box: Box, window: Box | undefined): Promise<ComponentPiece[]> {
    const { node } = box;
    if (node.kind === 'counter') return [...(await this.#decoration(box)), ...(await drawCounter(box, this.#painter, this.#clock))];
    if (node.kind === 'arc') return [...(await this.#decoration(box)), ...(await drawArc(box, this.#painter, this.#clock))];
    if (node.kind === 'pie') return [...(await this.#decoration(box)), ...(await drawPie(box, this.#painter, this.#clock))];
    if (node.kind === 'ticker') return [...(await this.#decoration(box)), ...(await drawTicker(box, this.#painter, this.#clock))];
    if (node.split !== undefined) return [...(await this.#decoration(box)), ...(await drawSplitText(box, this.#painter, this.#clock))];
    if (node.animate !== undefined || node.kind === 'cutout') return animateBox(box, this.#painter, this.#images, this.#clock);
    const rotates = !node.motion.some(({ property }) => property === 'rotate');
    const sprite = await this.#painter.draw(extentOf(box, isSeparate), (context) => {
      // The engine clips to rectangles only; rounded corners are clipped here.
      if (window !== undefined && radiiOf(window.node.style, window).some(({ x, y }) => Math.min(x, y) > 0.5)) clipToBox(context, window);
      paintTree(context, box, this.#images, isSeparate, { rotates: rotates });
    });
    if (sprite === undefined) return [];
    return [{ kind: 'sprite', ...sprite, ...motionCurves(node.motion, node.delayMs, box, sprite, this.#clock, rotates ? 0 : node.style.rotation) }];
  }

  async #decoration(box: Box): Promise<ComponentPiece[]> {
    const own = { ...box, text: undefined } as unknown as Box;
    const sprite = await this.#painter.draw(extentOf(own, isSeparate, true), (context) =>
      paintTree(context, own, this.#images, isSeparate, { rotates: true, alone: true }),
    );
    return sprite ? [{ kind: 'sprite', ...sprite }] : [];
  }
}

function clipToBox(context: SKRSContext2D, window: Box): void {
  tracePath(context, window, radiiOf(window.node.style, window));
  context.clip();
}

function rectOf({ x, y, width, height }: Rect): Rect {
  return { x, y, width, height };
}
