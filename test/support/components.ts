import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { loadConfig } from '../../src/config/index.js';
import { createEngine } from '../../src/engine/index.js';
import { widestCounterText } from '../../src/graphics/boxes/counter.js';
import { type Box, layoutBoxes } from '../../src/graphics/boxes/layout.js';
import { TextBlock } from '../../src/graphics/boxes/text-block.js';
import { loadPacks, type SceneNode } from '../../src/graphics/components/index.js';
import { createHtmlSprites, createTextSprites } from '../../src/graphics/index.js';
import { createOutbound } from '../../src/outbound/index.js';
import { createAssets } from '../../src/render/assets/index.js';
import { drawElements } from '../../src/render/draw/draw-elements.js';
import { parseMovie, resolveDurations } from '../../src/script/index.js';
import { compileTimeline } from '../../src/timeline/index.js';

export interface Size {
  width: number;
  height: number;
}

export interface Frame extends Size {
  pixels: Uint8Array;
}

export const fps = 20;
export const packs = loadPacks(undefined);
const folder = mkdtempSync(join(tmpdir(), 'components-'));
const engine = createEngine();
const config = loadConfig();
const outbound = createOutbound(config.outbound);
const sprites = createTextSprites({ folder: join(folder, 'sprites') });
const assets = createAssets({ folder: join(folder, 'assets'), outbound, probe: (path) => engine.probe(path) });
const openHtml = (at: string) => createHtmlSprites({ folder: at, chromium: config.html.chromium });
const parts = { engine, assets, sprites, packs, checkUrl: assets.checkUrl, openHtml };
afterAll(() => {
  outbound.close();
  rmSync(folder, { recursive: true });
});

/** Frames of a component on a plain background. */
export async function composeComponent(
  component: string,
  settings: object,
  { size, seconds, background, times }: { size: Size; seconds: number; background: string; times: readonly number[] },
): Promise<Frame[]> {
  const script = { ...size, fps, scenes: [{ duration: seconds, background, elements: [{ type: 'component', component, settings }] }] };
  const movie = parseMovie(script, { checkUrl: assets.checkUrl, components: packs });
  const durations = resolveDurations(movie, () => undefined);
  const { signal } = new AbortController();
  const drawn = await drawElements({ movie, durations, workDir: folder, signal, media: new Map(), words: new Map() }, parts);
  expect(drawn.warnings).toEqual([]);
  const timeline = compileTimeline({ movie, durations, media: new Map(), masks: new Map(), pieces: drawn.pieces, pages: drawn.pages });
  const frames: Frame[] = [];
  for (const time of times) frames.push(await engine.composeFrame(Buffer.from(JSON.stringify(timeline)), Math.round(time * fps), { signal }));
  return frames;
}

/** The boxes of a component at rest. */
export async function layoutComponent(id: string, settings: Record<string, unknown>, size: Size): Promise<Box> {
  const description = packs.describe(id, settings, '', size);
  if (description.kind !== 'native' || description.root === undefined) throw new Error('the component has no tree');
  const makeText = (node: SceneNode): TextBlock | undefined => {
    if (node.text === undefined || (node.kind !== 'text' && node.kind !== 'ticker' && node.kind !== 'counter')) return undefined;
    const counted = () => ({ paragraphs: widestCounterText(node).map((text) => ({ text, faces: new Uint8Array(text.length) })) });
    return new TextBlock(node.kind === 'counter' ? counted() : node.text, node, sprites.fonts, size, '');
  };
  return layoutBoxes(description.root, size, makeText);
}

/** All texts with the box that clips them. */
export function textsOf(box: Box, window: Box | undefined = undefined): Array<{ box: Box; window: Box | undefined }> {
  const inner = box.node.style.clips ? box : window;
  const own = box.text !== undefined && box.node.kind !== 'ticker' ? [{ box, window }] : [];
  return [...own, ...box.children.flatMap((child) => textsOf(child, inner))];
}

export function isWithin({ x, y, width, height }: Box['content'], outer: Box['content']): boolean {
  return x >= outer.x - 1 && y >= outer.y - 1 && x + width <= outer.x + outer.width + 1.5 && y + height <= outer.y + outer.height + 1.5;
}

const overlap = (a: Box['content'], b: Box['content']): boolean =>
  Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > 1.5 && Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > 1.5;

/** Boxes with a background of their own, such as cards, with the texts in them that reach beyond. */
function textsBeyond(box: Box): string[] {
  const hasGround = (box.node.style.background.color?.a ?? 0) > 0 || box.node.style.background.layers?.length;
  const own = hasGround ? textsOf(box).filter(({ box: { text } }) => text !== undefined && !isWithin(text.block, box)) : [];
  return [...own.map(({ box: inner }) => `${nameOf(inner)} reaches beyond its card`), ...box.children.flatMap(textsBeyond)];
}

const nameOf = ({ node, text }: Box): string => `"${(node.text?.paragraphs[0]?.text ?? '').slice(0, 30)}" at ${JSON.stringify(text?.block)}`;

/** Texts of a component that are cut or lie over each other: one line for each. */
export function misplacedTexts(root: Box, size: Size): string[] {
  const texts = textsOf(root);
  const cut = texts.filter(
    ({ box: { text }, window }) =>
      text !== undefined && (!isWithin(text.block, { x: 0, y: 0, ...size }) || (window !== undefined && !isWithin(text.block, window))),
  );
  const covered = texts.flatMap(({ box }, index) =>
    texts.slice(index + 1).flatMap(({ box: other }) => (box.text && other.text && overlap(box.text.block, other.text.block) ? [[box, other] as const] : [])),
  );
  return [...cut.map(({ box }) => `${nameOf(box)} is cut`), ...covered.map(([a, b]) => `${nameOf(a)} lies over ${nameOf(b)}`), ...textsBeyond(root)];
}
