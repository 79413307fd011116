import {
  type Color,
  type Declarations,
  fail,
  joinPath,
  type Length,
  nearestName,
  parseColor,
  parseLayoutLength,
  resolveLength,
  ScriptError,
  show,
} from '../../script/index.js';
import { easingNames, findEasing } from './easing.js';
import { isBlank, type MarkedText, parseMarkup } from './markup.js';
import { codeNodes } from './nodes/code.js';
import { forItem, itemsOf } from './nodes/items.js';
import { pieNodes } from './nodes/pie.js';
import { ratingNodes } from './nodes/rating.js';
import { tableNodes } from './nodes/table.js';
import type { Component, MotionProperty, TreeNode } from './pack.js';
import { fillNumber, fillPlaceholders, lookUp } from './placeholders.js';
import { groundsOf, withReadableColor } from './readable-colors.js';
import type { Group, Settings } from './settings.js';
import { idleKeys, inheritedKeys, plainKey, styleKeys } from './style/declarations.js';
import { parseStyle, type Style, type Viewport } from './style/style.js';
import { shapeOf } from './theme.js';

/** A node of a component with its settings applied and all placeholders filled. */
export interface SceneNode {
  kind: TreeNode['kind'];
  style: Style;
  text?: MarkedText;
  split?: NonNullable<TreeNode['split']>;
  order: 'forward' | 'random';
  fit?: NonNullable<TreeNode['fit']>;
  /** The script sets the font weight, so a missing weight causes a warning. */
  hasExplicitWeight: boolean;
  motion: Motion[];
  /** Motion at the end; its times are negative, from the element's end. */
  exit: Motion[];
  movesChildren: boolean;
  /** Its first child is moved up as far as its entries need room. */
  scrolls: boolean;
  delayMs: number;
  staggerMs: number;
  animate?: Animate;
  /** Settings of its group that are not styles: from, to, points, … */
  values: Readonly<Record<string, unknown>>;
  /** SVG path in a square of 100 units; the fraction `share` from the left has the text colour, the rest the colour `off`. */
  path?: { data: string; share: number; off: Color };
  /** Part of a ring, clockwise from the top. */
  arc?: { share: number; thickness: number };
  /** Movement of a ticker to the left, in pixels per second. */
  speed?: number;
  children: SceneNode[];
}

/** Value of a moving property at a time. */
export interface MotionKeyframe {
  /** Milliseconds after the node's delay; from the element's start if `isAbsolute`. */
  atMs: number;
  /** Instead of `atMs`: fraction of the element's duration. */
  atShare?: number;
  isAbsolute?: boolean;
  value: Length | { number: number };
  easing?: string;
}

/** Animation of one property of a node. */
export interface Motion {
  property: MotionProperty;
  keys: MotionKeyframe[];
}

/** Animation of all style properties to a target style. */
export interface Animate {
  durationMs: number;
  delayMs: number;
  easing: string;
  target: Style;
}

interface Inherited {
  given: Declarations;
  base: Declarations;
  /** Colours that may lie behind text. */
  grounds: readonly Color[];
  /** Delay of a repetition that the nodes within it share. */
  offsetMs: number;
}

/** Builds the tree of a native component; undefined if nothing is shown. */
export function describeTree(root: TreeNode, settings: Settings, viewport: Viewport): SceneNode | undefined {
  return new Describer(settings, viewport).describe(root, { given: {}, base: { 'text-align': 'left' }, grounds: [], offsetMs: 0 }, 0)[0];
}

class Describer {
  readonly #settings: Settings;
  readonly #viewport: Viewport;

  constructor(settings: Settings, viewport: Viewport) {
    this.#settings = settings;
    this.#viewport = viewport;
  }

  describe(node: TreeNode, inherited: Inherited, depth: number): SceneNode[] {
    if (depth > 32) return [];
    if (node.for !== undefined) {
      const { for: source, ...template } = node;
      return itemsOf(this.#settings, source).flatMap((item, index) => {
        const { stagger, ...repeated } = forItem(template, item);
        return this.#one(repeated, { ...inherited, offsetMs: inherited.offsetMs + index * this.#number(stagger) }, depth, 0);
      });
    }
    if (node.each === undefined) return this.#one(node, inherited, depth, 0);
    const numbered = [...this.#settings.keys()].filter((name) => new RegExp(`^${node.each}\\d+$`).test(name) && this.#settings.get(name)?.isGiven);
    numbered.sort((a, b) => Number(a.slice(node.each?.length)) - Number(b.slice(node.each?.length)));
    const { each: _, ...template } = node;
    return numbered.flatMap((group, index) => this.#one(forGroup({ ...template, group }, group), inherited, depth, index));
  }

  #one(node: TreeNode, inherited: Inherited, depth: number, index: number): SceneNode[] {
    if (node.if !== undefined && !isShown(fillPlaceholders(node.if, this.#settings))) return [];
    const group = node.group === undefined ? undefined : this.#settings.get(node.group);
    const text = this.#textOf(node, group);
    if (node.kind === 'text' && (text === undefined || isBlank(text))) return [];
    const cascaded = this.#declarations(node, group, inherited);
    const grounds = groundsOf(cascaded, this.#filled(node.backdrop), inherited.grounds);
    const declared = withReadableColor(cascaded, grounds, this.#settings);
    const style = this.#style(node, declared, group);
    if (style.hidden) return [];
    const childInherited = { ...this.#inheritable(node, group, inherited), grounds, offsetMs: inherited.offsetMs };
    const children = this.#childrenOf(node);
    const fit = node.fit !== undefined && style.typography.fit !== undefined ? node.fit : undefined;
    const animate = this.#animate(node, group, declared);
    return [
      {
        kind: node.kind,
        style,
        ...(text === undefined ? {} : { text: parseMarkup(text) }),
        ...(node.split === undefined ? {} : { split: node.split }),
        order: node.order ?? 'forward',
        ...(fit === undefined ? {} : { fit }),
        hasExplicitWeight: { ...inherited.given, ...group?.given }['font-weight'] !== undefined,
        // Of pie and code the generated nodes move.
        motion: node.kind === 'pie' || node.kind === 'code' ? [] : this.#motion(node.motion),
        exit: this.#motion(node.exit),
        movesChildren: node['moves-children'] === true,
        scrolls: node.scrolls === true,
        delayMs: inherited.offsetMs + this.#number(node.delay) + (node.split === undefined ? index * this.#number(node.stagger) : 0),
        staggerMs: this.#number(node.stagger),
        ...(animate === undefined ? {} : { animate }),
        values: this.#valuesOf(node, group),
        ...(node.path === undefined ? {} : { path: { data: node.path, share: this.#number(node.share ?? 1), off: this.#color(node.off) } }),
        ...(node.kind === 'arc' ? { arc: { share: shareOf(fillPlaceholders(node.share, this.#settings)), thickness: node.thickness ?? 1 } } : {}),
        ...(node.speed === undefined ? {} : { speed: this.#pixels(fillPlaceholders(node.speed, this.#settings)) }),
        children: children.flatMap((child) => this.describe(child, childInherited, depth + 1)),
      },
    ];
  }

  /** Maps errors in values from placeholders to the path of the setting. */
  #style(node: TreeNode, declared: Declarations, group: Group | undefined): Style {
    try {
      return parseStyle(declared, this.#viewport, group?.path ?? '');
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      const written = { ...node.style, ...node.fixed }[(error.path ?? '').split('.').at(-1) ?? ''];
      const [, name = '', key = ''] = /\{\{\s*([\w-]+)\.([\w-]+)\s*\}\}/.exec(String(written)) ?? [];
      const source = this.#settings.get(name);
      if (source === undefined) throw error;
      throw error.with({ path: joinPath(source.path, key) });
    }
  }

  #textOf(node: TreeNode, group: Group | undefined): string | string[] | undefined {
    const value = node.text === undefined ? group?.values.text : fillPlaceholders(node.text, this.#settings);
    if (Array.isArray(value)) return value.map((part) => (part === null || part === undefined ? '' : String(part)));
    return value === undefined || value === null ? undefined : String(value);
  }

  /** Merges declarations: the script's values for a box override the component's values for the texts in it. */
  #declarations(node: TreeNode, group: Group | undefined, inherited: Inherited): Declarations {
    const layers = [inherited.base, node.style ?? {}, this.#shapeStyle(node), group?.defaults ?? {}, inherited.given, group?.given ?? {}, node.fixed ?? {}];
    const declared = layers.map((layer) => this.#fillDeclarations(layer)).reduce((below, above) => cascade(below, above), {});
    const { src } = group?.values ?? {};
    if (typeof src !== 'string' || src === '' || node.kind !== 'box') return declared;
    const fit = String(declared['object-fit'] ?? 'cover').trim();
    const size = fit === 'fill' ? '100% 100%' : fit === 'contain' ? 'contain' : 'cover';
    const place = declared['object-position'] ?? declared['background-position'] ?? 'center';
    return {
      ...declared,
      'background-image': `url("${src}")`,
      'background-size': declared['background-size'] ?? size,
      'background-position': place,
      'background-repeat': 'no-repeat',
    };
  }

  #shapeStyle(node: TreeNode): Declarations {
    const shape = shapeOf(this.#viewport);
    return shape === 'landscape' ? {} : (node[shape] ?? {});
  }

  #inheritable(node: TreeNode, group: Group | undefined, inherited: Inherited): Pick<Inherited, 'base' | 'given'> {
    const inheritable = (declared: Declarations) => Object.fromEntries(Object.entries(declared).filter(([key]) => inheritedKeys.includes(key)));
    return {
      base: { ...inherited.base, ...inheritable(node.style ?? {}), ...inheritable(this.#shapeStyle(node)), ...inheritable(group?.defaults ?? {}) },
      given: { ...inherited.given, ...inheritable(group?.given ?? {}) },
    };
  }

  #fillDeclarations(declared: Declarations): Declarations {
    const filled = Object.entries(declared).map(([key, value]) => [key, fillPlaceholders(value, this.#settings)] as const);
    return Object.fromEntries(filled.filter((entry): entry is [string, string | number] => entry[1] !== undefined && entry[1] !== null && entry[1] !== ''));
  }

  #motion(motion: TreeNode['motion']): Motion[] {
    return Object.entries(motion ?? {}).map(([property, keys]) => ({
      property: property as MotionProperty,
      keys: keys.map(({ at, value, easing }) => ({
        ...(String(at).endsWith('%') ? { atMs: 0, atShare: Number.parseFloat(String(at)) / 100 } : { atMs: fillNumber(at, this.#settings, 0) }),
        value: motionValue(fillPlaceholders(value, this.#settings), property, this.#viewport),
        ...(easing === undefined ? {} : { easing: String(fillPlaceholders(easing, this.#settings)) }),
      })),
    }));
  }

  /** Values of the group; the stroke width of polygons is converted to pixels. */
  #valuesOf(node: TreeNode, group: Group | undefined): Readonly<Record<string, unknown>> {
    const values = group?.values ?? {};
    if (node.kind !== 'polygon' && node.kind !== 'plot') return values;
    return { ...values, 'stroke-width': this.#pixels(values['stroke-width']) };
  }

  #pixels(value: unknown): number {
    const { width, height } = this.#viewport;
    const scale = { canvasWidth: width, canvasHeight: height, em: width * 0.04, percent: width };
    const length = parseLayoutLength(value as string | number, scale);
    return length === undefined ? 0 : resolveLength(length, width);
  }

  #childrenOf(node: TreeNode): TreeNode[] {
    if (node.kind === 'table') return tableNodes(this.#settings);
    if (node.kind === 'pie') return pieNodes(this.#settings, node);
    if (node.kind === 'code') return codeNodes(this.#settings, node);
    return node.kind === 'rating' ? ratingNodes(this.#settings) : (node.children ?? []);
  }

  #filled(text: string | undefined): string | undefined {
    return text === undefined ? undefined : String(fillPlaceholders(text, this.#settings) ?? '');
  }

  #color(text: string | undefined): Color {
    return parseColor(String(fillPlaceholders(text, this.#settings) ?? 'transparent')) ?? { r: 0, g: 0, b: 0, a: 0 };
  }

  #number(value: number | string | undefined): number {
    return fillNumber(value, this.#settings, 0);
  }

  #animate(node: TreeNode, group: Group | undefined, declared: Declarations): Animate | undefined {
    const own = group?.values.animate;
    const path = joinPath(group?.path ?? '', 'animate');
    if (typeof own === 'object' && own !== null) return parseAnimate(own as Record<string, unknown>, declared, this.#viewport, path);
    return node.animate === undefined ? undefined : parseAnimate(this.#fillDeclarations(node.animate), declared, this.#viewport, path);
  }
}

/** Replaces the group in placeholders of a repeated node: `{{.text}}` is the text of its own group. */
function forGroup(node: TreeNode, group: string): TreeNode {
  return JSON.parse(JSON.stringify(node).replaceAll(/\{\{\s*\./g, `{{${group}.`)) as TreeNode;
}

const timing = ['duration', 'delay', 'easing'];

/** Parses an `animate` setting; undefined if it has no target properties. Throws SCHEMA_VALIDATION_ERROR. */
export function parseAnimate(animate: Readonly<Record<string, unknown>>, declared: Declarations, viewport: Viewport, path: string): Animate | undefined {
  const target: Record<string, string | number> = {};
  for (const [key, value] of Object.entries(animate)) {
    const plain = plainKey(key);
    if (timing.includes(plain) || value === null || value === undefined || value === '' || idleKeys.has(plain)) continue;
    if (!styleKeys.includes(plain))
      fail(joinPath(path, key), `unknown property ${show(key)}; allowed are ${timing.join(', ')} and the style properties of docs/packs.md.`);
    if (typeof value !== 'string' && typeof value !== 'number') fail(joinPath(path, key), `${key} must be a string or a number, not ${show(value)}.`);
    target[plain] = value;
  }
  if (Object.keys(target).length === 0) return undefined;
  return {
    durationMs: milliseconds(animate.duration, 1000, joinPath(path, 'duration')),
    delayMs: milliseconds(animate.delay, 0, joinPath(path, 'delay')),
    easing: easingAt(animate.easing ?? 'easeOutCubic', joinPath(path, 'easing')),
    target: parseStyle(cascade(declared, target), viewport, path),
  };
}

/** Returns a valid easing name. Throws SCHEMA_VALIDATION_ERROR for unknown ones. */
export function easingAt(value: unknown, path: string): string {
  const name = String(value).trim();
  if (findEasing(name) !== undefined) return name;
  const near = nearestName(name, easingNames);
  return fail(
    path,
    `easing must be one of ${easingNames.join(', ')}, cubicBezier(x1, y1, x2, y2) or steps(n); not ${show(value)}${near === undefined ? '.' : `; did you mean '${near}'?`}`,
  );
}

function milliseconds(value: unknown, fallback: number, path: string): number {
  if (value === undefined || value === null || value === '') return fallback;
  const text = String(value).trim();
  const amount = /^[\d.]+s$/.test(text) ? Number.parseFloat(text) * 1000 : Number(text.replace(/ms$/, ''));
  if (!(amount >= 0 && amount <= 3_600_000)) fail(path, `${path.slice(path.lastIndexOf('.') + 1)} must be milliseconds from 0 to 3600000, not ${show(value)}.`);
  return amount;
}

/** Merges declarations; a shorthand in `above` removes the longhands that it covers from `below`. */
function cascade(below: Declarations, above: Declarations): Declarations {
  const hidden = (key: string) =>
    Object.keys(above).some((over) => {
      if (over === 'border') return key.startsWith('border-') && !key.endsWith('-radius');
      if (over === 'border-radius') return key.startsWith('border-') && key.endsWith('-radius');
      if (over === 'border-color' || over === 'border-width' || over === 'border-style')
        return key.startsWith('border-') && key.endsWith(over.slice(6)) && key !== over;
      return (over === 'padding' || over === 'margin' || over === 'background' || over === 'flex') && key.startsWith(`${over}-`);
    });
  return { ...Object.fromEntries(Object.entries(below).filter(([key]) => !hidden(key))), ...above };
}

function shareOf(value: unknown): number {
  const text = String(value ?? 1);
  const share = text.endsWith('%') ? Number.parseFloat(text) / 100 : Number(text);
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 1;
}

function isShown(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && !isBlank(value.map(String));
  if (value === undefined || value === null || value === false) return false;
  return !['', 'none', 'false', '0'].includes(String(value).trim());
}

function motionValue(value: unknown, property: string, viewport: Viewport): Length | { number: number } {
  if (property.startsWith('shift')) {
    const scale = { canvasWidth: viewport.width, canvasHeight: viewport.height, em: viewport.width * 0.04, percent: viewport.width };
    return parseLayoutLength(value as string | number, scale) ?? { px: 0 };
  }
  const text = String(value).replace(/deg$/, '');
  const number = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  return { number: Number.isFinite(number) ? number : 0 };
}

/** Natural duration of a component in seconds. */
export function secondsOf(component: Component, settings: Settings): number {
  if (typeof component.seconds === 'number') return component.seconds;
  const time = Number(lookUp(settings, component.seconds.setting) ?? 0);
  const perSecond = component.seconds.unit === 'seconds' ? 1 : 1000;
  return (Number.isFinite(time) ? Math.max(0, time) / perSecond : 0) + (component.seconds.add ?? 0);
}
