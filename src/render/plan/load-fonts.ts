import { AppError, type Problem, problemOf } from '../../errors/index.js';
import { fontLimits, type TextSpriteDrawer, UnusableFont } from '../../graphics/index.js';
import { type Element, isFontAddress, type Movie } from '../../script/index.js';
import { allElements } from '../elements.js';
import type { RenderContext } from '../render-context.js';

const MAX_FONTS = 50;

/** Fetches the fonts that a movie names by URL. An unavailable font is a warning; the next family is used. */
export async function loadFonts(movie: Movie, parts: Pick<RenderContext, 'assets' | 'sprites'>, signal: AbortSignal): Promise<Problem[]> {
  const paths = new Map<string, string>();
  for (const element of allElements(movie)) for (const url of fontUrlsOf(element)) if (!paths.has(url)) paths.set(url, element.path);
  const { files } = parts.sprites.fonts;
  const loads = [...paths].map(async ([url, path], index) => {
    const problem = index < MAX_FONTS ? await loadFont(url, path, { assets: parts.assets, files, signal }) : `at most ${MAX_FONTS} font files are loaded`;
    if (problem === undefined) return [];
    files.markUnavailable(url);
    return [{ path, message: `${problem}; another font is used instead` }];
  });
  // Wait for all, so that no download is running when the render continues or ends.
  const settled = await Promise.allSettled(loads);
  return settled.flatMap((load) => {
    if (load.status === 'rejected') throw load.reason;
    return load.value;
  });
}

interface Loading extends Pick<RenderContext, 'assets'> {
  files: TextSpriteDrawer['fonts']['files'];
  signal: AbortSignal;
}

/** Returns why the font is unusable; undefined when it was loaded. */
async function loadFont(url: string, path: string, { assets, files, signal }: Loading): Promise<string | undefined> {
  try {
    await files.add(url, await assets.fetchFile(url, path, 'font', fontLimits.fileBytes, signal));
    return undefined;
  } catch (error) {
    if (error instanceof UnusableFont) return `the file at ${withoutQuery(url)} ${error.message}`;
    if (error instanceof AppError && error.code === 'RENDER_FAILED') return problemOf(error).message.replace(/\.$/, '');
    throw error;
  }
}

/** Removes the query, which may contain secrets, and the credentials of a URL. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
}

function fontUrlsOf(element: Element): string[] {
  if (element.type === 'text') return element.typography.fontFamilies.filter(isFontAddress);
  if (element.type === 'subtitles') return element.look.fontUrl === undefined ? [] : [element.look.fontUrl];
  return element.type === 'component' ? fontUrlsWithin(element.settings) : [];
}

/** Font URLs in the settings of a component, nested groups included. */
function fontUrlsWithin(settings: Readonly<Record<string, unknown>>, depth = 0): string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (typeof value === 'string') return /^font[-_]?(?:family|url)?$/i.test(name) && isFontAddress(value.trim()) ? [value.trim()] : [];
    return typeof value === 'object' && value !== null && depth < 4 ? fontUrlsWithin(value as Record<string, unknown>, depth + 1) : [];
  });
}
