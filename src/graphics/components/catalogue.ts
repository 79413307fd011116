import { fileURLToPath } from 'node:url';
import { AppError } from '../../errors/index.js';
import { defaultTheme, fail, joinPath, nearestName, show, type Theme } from '../../script/index.js';
import { describeTree, easingAt, parseAnimate, type SceneNode, secondsOf } from './describe.js';
import { htmlPage } from './html-page.js';
import { type ComponentMedia, mediaOf } from './media.js';
import type { Component, Pack } from './pack.js';
import { PackError, readPacks } from './read-packs.js';
import { readableColors } from './readable-colors.js';
import { type Group, readSettings } from './settings.js';
import { parseStyle, type Viewport } from './style/style.js';
import { withTheme } from './theme.js';

/** A component with its settings applied, ready to be laid out. */
export type Description = ({ kind: 'native'; root: SceneNode | undefined } | { kind: 'html'; html: string }) & {
  /** Settings that are not drawn. */
  warnings: string[];
};

/** The installed packs. Pure after loading. */
export interface PackCatalogue {
  packs: readonly Pack[];
  /** Validates settings; returns the component's natural duration and the media they name. Throws an AppError with the path of the invalid setting. */
  check(id: string, settings: Readonly<Record<string, unknown>>, path: string, theme?: Theme): { seconds: number; media: ComponentMedia[]; isPage: boolean };
  /** Natural duration in seconds; undefined for unknown components and invalid settings. `settings` is called only if the duration depends on them. */
  secondsOf(id: string, settings: () => Readonly<Record<string, unknown>>): number | undefined;
  /** Applies the settings. The viewport, to which `vw` and `vh` refer, is the element's box. */
  describe(id: string, settings: Readonly<Record<string, unknown>>, path: string, viewport: Viewport, theme?: Theme): Description;
}

/** Folder of the shipped packs. */
const builtInFolder = fileURLToPath(new URL('../../../packs', import.meta.url));

/**
 * Loads the shipped packs and those of an operator's folder. The operator's packs are validated at once; the shipped ones, which are
 * tested, are read with the first component and without validation, to start faster. Throws PackError.
 */
export function loadPacks(folder: string | undefined): PackCatalogue {
  const own = folder === undefined ? [] : createPackCatalogue([folder]).packs;
  return new Catalogue(() => [...readPacks(builtInFolder, { isTrusted: true }), ...own]);
}

/** Loads and validates the packs in several folders; later folders override packs of the same name. Throws PackError. */
export function createPackCatalogue(folders: readonly string[]): PackCatalogue {
  const packs = folders.flatMap((folder) => readPacks(folder));
  const catalogue = new Catalogue(() => packs);
  catalogue.checkDefaults();
  return catalogue;
}

const checkViewport: Viewport = { width: 1920, height: 1080 };

class Catalogue implements PackCatalogue {
  readonly #read: () => readonly Pack[];
  #packs: readonly Pack[] | undefined;
  #components: ReadonlyMap<string, Component> | undefined;

  constructor(read: () => readonly Pack[]) {
    this.#read = read;
  }

  get packs(): readonly Pack[] {
    this.#packs ??= [...new Map(this.#read().map((pack) => [pack.name, pack])).values()];
    return this.#packs;
  }

  get components(): ReadonlyMap<string, Component> {
    this.#components ??= new Map(this.packs.flatMap((pack) => pack.components).map((component) => [component.id, component]));
    return this.#components;
  }

  checkDefaults(): void {
    for (const component of this.components.values()) this.#checkDefaults(component);
  }

  check(
    id: string,
    settings: Readonly<Record<string, unknown>>,
    path: string,
    theme: Theme = defaultTheme,
  ): { seconds: number; media: ComponentMedia[]; isPage: boolean } {
    const component = this.#find(id, path);
    const read = withTheme(readSettings(component, settings, joinPath(path, 'settings')), theme, checkViewport);
    for (const group of read.values()) if (group.isGiven) checkGroup(group);
    // Building the tree finds the remaining errors, which do not depend on the viewport.
    this.#describe(component, settings, joinPath(path, 'settings'), checkViewport, theme);
    return { seconds: secondsOf(component, read), media: mediaOf(read), isPage: component.body.kind === 'html' };
  }

  secondsOf(id: string, settings: () => Readonly<Record<string, unknown>>): number | undefined {
    const component = this.components.get(id.trim().toLowerCase());
    if (component === undefined) return undefined;
    if (typeof component.seconds === 'number') return component.seconds;
    const given = settings();
    try {
      return secondsOf(component, readSettings(component, given, ''));
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  describe(id: string, settings: Readonly<Record<string, unknown>>, path: string, viewport: Viewport, theme: Theme = defaultTheme): Description {
    return this.#describe(this.#find(id, path), settings, joinPath(path, 'settings'), viewport, theme);
  }

  #describe(component: Component, settings: Readonly<Record<string, unknown>>, path: string, viewport: Viewport, theme: Theme): Description {
    const read = readSettings(component, settings, path);
    if (component.body.kind === 'html') return { kind: 'html', html: htmlPage(component.body.html, read, viewport), warnings: [] };
    const warnings = [...read].flatMap(([group, { unsupported }]) => unsupported.map((key) => `settings.${group}.${key} is a CSS property that is not drawn`));
    return { kind: 'native', root: describeTree(component.body.root, withTheme(read, theme, viewport), viewport), warnings };
  }

  #find(id: string, path: string): Component {
    const wanted = id.trim().toLowerCase();
    const found = this.components.get(wanted);
    if (found) return found;
    const ids = [...this.components.keys()];
    const near = nearestName(wanted, ids);
    return fail(
      joinPath(path, 'component'),
      `unknown component ${show(id)}${near === undefined ? '' : `; did you mean '${near}'?`} Installed are: ${ids.join(', ')}.`,
    );
  }

  /** Reports errors in a pack's own defaults as PackError instead of a script error. */
  #checkDefaults(component: Component): void {
    try {
      this.#describe(component, component.preview.settings, '', checkViewport, defaultTheme);
    } catch (error) {
      throw new PackError(component.id, error instanceof Error ? error.message : String(error));
    }
  }
}

function checkGroup({ given, values, path }: Group): void {
  const { color, ...style } = given;
  parseStyle((readableColors as readonly unknown[]).includes(color) ? style : given, checkViewport, path);
  if (values.easing !== undefined) easingAt(values.easing, joinPath(path, 'easing'));
  const { animate } = values;
  if (typeof animate === 'object' && animate !== null) parseAnimate(animate as Record<string, unknown>, given, checkViewport, joinPath(path, 'animate'));
}
