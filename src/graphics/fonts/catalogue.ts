import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fontRegistry, listSystemFamilies } from '../canvas/skia.js';
import type { FontCleaning } from './clean-font.js';
import { fallbackFamilies, fallbackFamily, isUnexpectedSubstitute, nearestFamily, substitutesFor, withoutSpaces } from './families.js';
import type { LineMetrics } from './font-file.js';
import { defaultLineMetrics, readLineMetrics } from './font-file.js';
import type { FontPackage } from './font-packages.js';
import { findFontPackage, installedPackageFolders, readFontPackages } from './font-packages.js';
import { JobFonts, type LoadedFont } from './job-fonts.js';
import { fingerprintSystemFonts, systemFontFolders } from './system-fonts.js';

export interface FontRequest {
  families: readonly string[];
  weight: number;
  style: 'normal' | 'italic';
  /** What will be drawn: decides which unicode subsets and fallback fonts are needed. */
  text: string;
  lang: string;
}

/** Fonts ready to draw with: registered in Skia under the names in the CSS font string. */
export interface ResolvedFont {
  css(sizePx: number): string;
  lineMetrics: LineMetrics;
  /** Everything that decides the glyphs, for content hashes. */
  identity: string[];
  warnings: string[];
}

export interface FontFamily {
  family: string;
  source: 'package' | 'system';
  weights: number[];
  styles: string[];
}

export interface FontCatalogueOptions {
  /** Folders that hold @fontsource packages; default: the installed ones. */
  packageFolders?: readonly string[];
  /** Folders whose files name this machine's font set in content hashes. */
  systemFolders?: readonly string[];
  /** What happens to font files of strangers before they are drawn with; default: nothing but a look at their tables. */
  cleaning?: FontCleaning;
}

export interface FontCatalogue {
  /** Has the drawing library look at this machine's fonts now, which the first text would wait for. */
  warmUp(): void;
  listFonts(): FontFamily[];
  resolve(request: FontRequest): ResolvedFont;
  /** The same fonts, and room for those that one job brings along; `folder` is the job's, for temporary files. */
  openJob(folder?: string): JobFontCatalogue;
}

export interface JobFontCatalogue extends FontCatalogue {
  /** What families of the job are called by the addresses of their files. */
  files: JobFonts;
  /** Whether anything that was asked of it hung on which fonts this machine's system has. */
  readonly dependsOnSystem: boolean;
}

/** A name that Skia knows a font by, from when it is drawn with if it comes from a file. */
interface Alias {
  name: string;
  path?: string;
}

interface Face {
  family: string;
  /** Names that Skia knows the face by, main subset first. */
  aliases: Alias[];
  weight: number;
  hasStyle: boolean;
  identity: string[];
  /** Undefined: a font whose coverage we don't know. */
  pack: FontPackage | undefined;
  /** Undefined: a system font. */
  mainFile: string | undefined;
}

/** CSS font matching: 400 and 500 are each other's first choice, then lighter for light and heavier for heavy. */
export function nearestWeight(asked: number, weights: readonly number[]): number {
  const distance = (weight: number): number => {
    if (weight === asked) return 0;
    if (asked >= 400 && asked <= 500) {
      if (weight > asked && weight <= 500) return weight - asked;
      return weight < asked ? 1000 + asked - weight : 2000 + weight - asked;
    }
    const away = Math.abs(weight - asked);
    return asked < 400 === weight < asked ? away : 1000 + away;
  };
  return [...weights].sort((a, b) => distance(a) - distance(b))[0] ?? asked;
}

const aliasPrefix = 'fw-';
const normalize = (family: string): string =>
  family
    .trim()
    .replace(/^["']|["']$/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();

/** Knows the installed fonts and registers in Skia those that a text needs, when it needs them. */
export function createFontCatalogue(options: FontCatalogueOptions = {}): FontCatalogue {
  return new Catalogue(options, tmpdir());
}

class Catalogue implements JobFontCatalogue {
  readonly files: JobFonts;
  readonly #options: FontCatalogueOptions;
  readonly #parent: Catalogue | undefined;
  readonly #lineMetrics = new Map<string, LineMetrics>();
  #packages: Map<string, FontPackage> | undefined;
  /** Before all are read. */
  readonly #named = new Map<string, FontPackage>();
  #squeezed: Map<string, FontPackage> | undefined;
  #system: Map<string, FontFamily> | undefined;
  #systemFingerprint: string | undefined;

  constructor(options: FontCatalogueOptions, folder: string, parent?: Catalogue) {
    this.files = new JobFonts(folder, options.cleaning ?? { program: undefined, mode: 'auto' });
    this.#options = options;
    this.#parent = parent;
  }

  openJob(folder: string = tmpdir()): JobFontCatalogue {
    return new Catalogue(this.#options, folder, this.#parent ?? this);
  }

  get dependsOnSystem(): boolean {
    return this.#parent?.dependsOnSystem ?? (this.#system !== undefined || this.#systemFingerprint !== undefined);
  }

  warmUp(): void {
    this.#openFace(fallbackFamily, { families: [], weight: 400, style: 'normal', text: '', lang: 'en' })?.aliases.every(isRegistered);
  }

  listFonts(): FontFamily[] {
    const packages = [...this.#installedPackages().values()].map(({ family, weights, styles }): FontFamily => ({ family, source: 'package', weights, styles }));
    const named = new Set(packages.map(({ family }) => normalize(family)));
    const system = [...this.#systemFamilies().values()].filter(({ family }) => !named.has(normalize(family)));
    return [...packages, ...system].sort((a, b) => a.family.localeCompare(b.family, 'en'));
  }

  resolve(request: FontRequest): ResolvedFont {
    const warnings: string[] = [];
    const faces = this.#facesFor(request, warnings);
    const [main] = faces;
    if (main && main.weight !== request.weight && !this.files.find(main.family)) {
      warnings.push(`font "${main.family}" has no weight ${request.weight}; its nearest, ${main.weight}, is used`);
    }
    if (main && !main.hasStyle) warnings.push(`font "${main.family}" has no ${request.style} style; the upright letters are slanted instead`);
    const weight = main?.weight ?? request.weight;
    let list: string | undefined;
    // Looking through the machine's fonts, which the first registration does, takes longer than drawing; what is drawn already needs none.
    const names = (): string =>
      faces
        .flatMap(({ aliases }) => aliases)
        .filter(isRegistered)
        .map(({ name }) => `"${name}"`)
        .join(', ');
    const identity = faces.flatMap((face) => face.identity);
    if (!this.#coversAll(request.text, faces)) identity.push(`system ${this.#fingerprint()}`);
    const metrics = (): LineMetrics => (main?.mainFile === undefined ? defaultLineMetrics : this.#readMetrics(main.mainFile));
    return {
      css: (sizePx) => {
        list ??= names();
        return `${request.style} ${weight} ${sizePx}px ${list}`;
      },
      // The whole file has to be unpacked, and few texts need them.
      get lineMetrics() {
        return metrics();
      },
      identity,
      warnings,
    };
  }

  #facesFor(request: FontRequest, warnings: string[]): Face[] {
    const faces = new Map<string, Face>();
    const add = (family: string): Face | undefined => {
      const face = faces.get(normalize(family)) ?? this.#openFace(family, request);
      if (face) faces.set(normalize(face.family), face);
      return face;
    };
    const absent: string[] = [];
    for (const asked of request.families) {
      if (add(asked) || this.files.find(asked) === null) continue;
      const used = substitutesFor(asked)
        .map((candidate) => add(candidate))
        .find(Boolean);
      if (!used) absent.push(asked);
      else if (isUnexpectedSubstitute(asked, used.family)) warnings.push(`font family "${asked}" is not installed; "${used.family}" is used instead`);
    }
    for (const family of fallbackFamilies(request.text, request.lang)) add(family);
    const first = faces.values().next().value?.family ?? 'a system font';
    for (const asked of absent) {
      const near = nearestFamily(asked, this.#familyNames());
      warnings.push(`font family "${asked}" is not installed; "${first}" is used instead${near === undefined ? '' : `. The nearest name is "${near}"`}`);
    }
    return [...faces.values()];
  }

  #openFace(family: string, request: FontRequest): Face | undefined {
    const loaded = this.files.find(family);
    if (loaded) return openLoaded(family, loaded, request);
    const found = this.#packageNamed(normalize(family)) ?? this.#squeezedPackages().get(withoutSpaces(family));
    if (found) return this.#openPackage(found, request);
    const system = this.#systemFamilies().get(normalize(family));
    if (!system) return undefined;
    return {
      family: system.family,
      aliases: [{ name: system.family }],
      weight: nearestWeight(request.weight, system.weights),
      hasStyle: system.styles.includes(request.style) || system.family.startsWith('Noto'),
      identity: [system.family],
      pack: undefined,
      mainFile: undefined,
    };
  }

  #openPackage(pack: FontPackage, request: FontRequest): Face | undefined {
    const weight = nearestWeight(request.weight, pack.weights);
    const hasStyle = pack.styles.includes(request.style);
    const style = hasStyle ? request.style : (pack.styles[0] ?? 'normal');
    const isFallback = pack.family === fallbackFamily;
    const codes = [...new Set(request.text)].map((character) => character.codePointAt(0) ?? 0);
    const aliases: Alias[] = [];
    for (const [i, { name, ranges }] of pack.subsets.entries()) {
      const wanted = i === 0 || ranges === undefined || codes.some((code) => ranges.some(([low, high]) => code >= low && code <= high));
      if (!wanted) continue;
      const path = fileOf(pack, name, weight, style);
      if (existsSync(path)) aliases.push({ name: `${aliasPrefix}${pack.slug}-${pack.version}-${name}-${weight}-${style}`, path });
    }
    if (aliases.length === 0) return undefined;
    const mainFile = fileOf(pack, pack.subsets[0]?.name ?? 'latin', weight, style);
    const identity = aliases.map((alias) => alias.name);
    return { family: pack.family, aliases, weight, hasStyle: hasStyle || isFallback, identity, pack, mainFile };
  }

  #coversAll(text: string, faces: readonly Face[]): boolean {
    if (faces[0]?.pack === undefined) return false;
    const ranges = faces.flatMap(({ pack }) => pack?.subsets.flatMap((subset) => subset.ranges ?? []) ?? []);
    return [...new Set(text)].every((character) => {
      const code = character.codePointAt(0) ?? 0;
      return code < 0x20 || ranges.some(([low, high]) => code >= low && code <= high);
    });
  }

  #installedPackages(): Map<string, FontPackage> {
    if (this.#parent) return this.#parent.#installedPackages();
    this.#packages ??= new Map(readFontPackages(this.#packageFolders()).map((found) => [normalize(found.family), found]));
    return this.#packages;
  }

  /** Reads that one alone where its folder is called like the family, as those of @fontsource are. */
  #packageNamed(name: string): FontPackage | undefined {
    if (this.#parent) return this.#parent.#packageNamed(name);
    if (this.#packages) return this.#packages.get(name);
    let found = this.#named.get(name);
    if (found === undefined) {
      const slug = name.replaceAll(' ', '-');
      const near = /^[a-z0-9-]+$/.test(slug) ? findFontPackage(this.#packageFolders(), slug) : undefined;
      found = near && normalize(near.family) === name ? near : this.#installedPackages().get(name);
      if (found) this.#named.set(name, found);
    }
    return found;
  }

  #packageFolders(): readonly string[] {
    return this.#options.packageFolders ?? installedPackageFolders();
  }

  /** Names written without their spaces, like OpenSans. */
  #squeezedPackages(): Map<string, FontPackage> {
    if (this.#parent) return this.#parent.#squeezedPackages();
    this.#squeezed ??= new Map([...this.#installedPackages().values()].map((pack) => [withoutSpaces(pack.family), pack]));
    return this.#squeezed;
  }

  #familyNames(): string[] {
    return [...[...this.#installedPackages().values()].map(({ family }) => family), ...[...this.#systemFamilies().values()].map(({ family }) => family)];
  }

  #systemFamilies(): Map<string, FontFamily> {
    if (this.#parent) return this.#parent.#systemFamilies();
    this.#system ??= new Map(
      listSystemFamilies()
        .filter(({ family }) => !family.startsWith(aliasPrefix))
        .map(({ family, styles }) => [
          normalize(family),
          {
            family,
            source: 'system' as const,
            weights: [...new Set(styles.map(({ weight }) => weight))].sort((a, b) => a - b),
            styles: [...new Set(styles.map(({ style }) => style))],
          },
        ]),
    );
    return this.#system;
  }

  #readMetrics(path: string): LineMetrics {
    const known = this.#lineMetrics.get(path) ?? readLineMetrics(path);
    this.#lineMetrics.set(path, known);
    return known;
  }

  #fingerprint(): string {
    if (this.#parent) return this.#parent.#fingerprint();
    this.#systemFingerprint ??= fingerprintSystemFonts(this.#options.systemFolders ?? systemFontFolders());
    return this.#systemFingerprint;
  }
}

/** The library's own `has` looks through all of the system's fonts. */
const registered = new Set<string>();

function isRegistered({ name, path }: Alias): boolean {
  if (path === undefined) return true;
  if (!registered.has(name) && fontRegistry().registerFromPath(path, name)) registered.add(name);
  return registered.has(name);
}

function fileOf(pack: FontPackage, subset: string, weight: number, style: string): string {
  return join(pack.folder, 'files', `${pack.slug}-${subset}-${weight}-${style}.woff2`);
}

/** A file has the weights that it has: whoever names it has chosen one. */
function openLoaded(name: string, { alias, path, sha256, metadata }: LoadedFont, request: FontRequest): Face {
  const weight = Math.round(Math.min(metadata.weight.max, Math.max(metadata.weight.min, request.weight)));
  return {
    family: name,
    aliases: [{ name: alias }],
    weight,
    hasStyle: metadata.style === request.style || metadata.style === 'italic',
    identity: [`file ${sha256} ${weight}`],
    pack: undefined,
    mainFile: path,
  };
}
