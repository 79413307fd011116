import { AppError, type Problem, problemOf } from '../../errors/index.js';
import { fontLimits, type TextSpriteDrawer, UnusableFont } from '../../graphics/index.js';
import { type Element, isFontAddress, type Movie } from '../../script/index.js';
import { allElements } from '../elements.js';
import type { RenderContext } from '../render-context.js';

/** More files than any design needs. */
const MAX_FONTS = 50;

/** Fetches the fonts that a movie names by address and hands them to its sprites. One that can not be had is a warning; the next family is used. */
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
  // None is still under way when the render goes on or ends.
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

/** What is wrong with it, if anything. */
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

/** What stands behind the question mark may be a secret. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
}

function fontUrlsOf(element: Element): string[] {
  if (element.type === 'text') return element.typography.fontFamilies.filter(isFontAddress);
  if (element.type === 'subtitles') return element.look.fontUrl === undefined ? [] : [element.look.fontUrl];
  return element.type === 'component' ? fontUrlsWithin(element.settings) : [];
}

/** A component's groups name fonts as texts do. */
function fontUrlsWithin(settings: Readonly<Record<string, unknown>>, depth = 0): string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (typeof value === 'string') return /^font[-_]?(?:family|url)?$/i.test(name) && isFontAddress(value.trim()) ? [value.trim()] : [];
    return typeof value === 'object' && value !== null && depth < 4 ? fontUrlsWithin(value as Record<string, unknown>, depth + 1) : [];
  });
}
