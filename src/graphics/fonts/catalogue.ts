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

/** A font for a text. */
export interface FontRequest {
  /** In order of preference. */
  families: readonly string[];
  weight: number;
  style: 'normal' | 'italic';
  /** The text to draw; determines the Unicode subsets and fallback fonts. */
  text: string;
  /** BCP 47 tag. */
  lang: string;
  /** Do not warn when the family lacks the weight. */
  acceptsOtherWeight?: boolean;
}

/** Fonts ready to draw with, registered in Skia. */
export interface ResolvedFont {
  /** CSS font shorthand. Registers the fonts on the first call. */
  css(sizePx: number): string;
  lineMetrics: LineMetrics;
  /** Everything that determines the glyphs, for content hashes. */
  identity: string[];
  warnings: string[];
  /** Font for the letters that the first family lacks, if that family lacks the requested weight as well. */
  fallback?: { font: ResolvedFont; isFor(code: number): boolean };
}

/** An installed font family. */
export interface FontFamily {
  family: string;
  source: 'package' | 'system';
  weights: number[];
  styles: string[];
}

/** Options of createFontCatalogue(). */
export interface FontCatalogueOptions {
  /** Folders of @fontsource packages; default: the installed ones. */
  packageFolders?: readonly string[];
  /** Folders of system fonts, for content hashes; default: those of the host. */
  systemFolders?: readonly string[];
  /** Sanitizing of downloaded font files; default: only their tables are checked. */
  cleaning?: FontCleaning;
}

/** The fonts of this host. */
export interface FontCatalogue {
  /** Makes the drawing library scan the fonts now instead of for the first text. */
  warmUp(): void;
  /** Installed families by name. */
  listFonts(): FontFamily[];
  /** The requested families, or substitutes with a warning, followed by fallback fonts for the text. */
  resolve(request: FontRequest): ResolvedFont;
  /** A catalogue with the same fonts that can also hold one job's own fonts; `folder` is for the job's temporary files. */
  openJob(folder?: string): JobFontCatalogue;
}

/** Fonts of the host and of one job. */
export interface JobFontCatalogue extends FontCatalogue {
  /** The job's fonts, by their URL. */
  files: JobFonts;
  /** Whether a result so far depended on the system's fonts. */
  readonly dependsOnSystem: boolean;
}

/** A font's name in Skia; fonts with a path are registered on first use. */
interface Alias {
  name: string;
  path?: string;
}

interface Face {
  family: string;
  /** Main subset first. */
  aliases: Alias[];
  weight: number;
  hasStyle: boolean;
  identity: string[];
  /** Undefined if the font's Unicode coverage is unknown. */
  pack: FontPackage | undefined;
  /** Undefined for system fonts. */
  mainFile: string | undefined;
}

/** CSS font matching: 400 and 500 prefer each other, otherwise light weights prefer lighter ones and heavy weights heavier ones. */
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

/** Creates a catalogue of the installed fonts, which are registered in Skia on first use. */
export function createFontCatalogue(options: FontCatalogueOptions = {}): FontCatalogue {
  return new Catalogue(options, tmpdir());
}

class Catalogue implements JobFontCatalogue {
  readonly files: JobFonts;
  readonly #options: FontCatalogueOptions;
  readonly #parent: Catalogue | undefined;
  readonly #lineMetrics = new Map<string, LineMetrics>();
  #packages: Map<string, FontPackage> | undefined;
  /** Packages read one by one, before all are read. */
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
    const fallback = this.#fallbackOf(faces, request);
    const isDrawn = fallback === undefined || /\p{L}/u.test([...request.text].filter((character) => !fallback.isFor(character.codePointAt(0) ?? 0)).join(''));
    if (main && isDrawn && main.weight !== request.weight && request.acceptsOtherWeight !== true && !this.files.find(main.family)) {
      warnings.push(`font "${main.family}" has no weight ${request.weight}; its nearest weight, ${main.weight}, is used`);
    }
    if (main && !main.hasStyle) warnings.push(`font "${main.family}" has no ${request.style} style; the upright letters are slanted instead`);
    const weight = main?.weight ?? request.weight;
    let list: string | undefined;
    // The first registration scans all fonts, which takes longer than drawing, so it is delayed until the CSS is needed; cached drawings never need it.
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
      // Lazy: reading metrics decompresses the whole file, and few texts need them.
      get lineMetrics() {
        return metrics();
      },
      identity,
      warnings,
      ...(fallback === undefined ? {} : { fallback }),
    };
  }

  /** CSS has one weight for all families of a text; letters of other scripts keep the requested one. */
  #fallbackOf([main, ...others]: readonly Face[], request: FontRequest): ResolvedFont['fallback'] {
    const subsets = main?.pack?.subsets;
    if (main === undefined || subsets === undefined || main.weight === request.weight || others.length === 0) return undefined;
    const isCovered = (code: number) => subsets.some(({ ranges }) => ranges === undefined || ranges.some(([low, high]) => code >= low && code <= high));
    const isFor = (code: number) => code > 0x7f && !isCovered(code);
    if (![...request.text].some((character) => isFor(character.codePointAt(0) ?? 0))) return undefined;
    return { font: this.resolve({ ...request, families: others.map(({ family }) => family), acceptsOtherWeight: true }), isFor };
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

  /** Finds a package by family name; reads only that package if its folder is named after the family, as @fontsource does. */
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

  /** Packages by their name without spaces, such as OpenSans. */
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

/** Registered aliases, kept here because the library's `has()` scans all system fonts. */
const registered = new Set<string>();

function isRegistered({ name, path }: Alias): boolean {
  if (path === undefined) return true;
  if (!registered.has(name) && fontRegistry().registerFromPath(path, name)) registered.add(name);
  return registered.has(name);
}

function fileOf(pack: FontPackage, subset: string, weight: number, style: string): string {
  return join(pack.folder, 'files', `${pack.slug}-${subset}-${weight}-${style}.woff2`);
}

/** The face of a job's font file; its weight is clamped to the file's range without a warning. */
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
