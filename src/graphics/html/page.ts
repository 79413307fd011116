import { createHash } from 'node:crypto';

/** A page to draw: a snippet or document on a transparent background, or a URL. */
export interface HtmlPage {
  html?: string;
  url?: string;
  /** CSS pixels. */
  width: number;
  height: number;
  /** CSS properties of the snippet's root. */
  css: Readonly<Record<string, string>>;
  tailwind: boolean;
  /** Seconds that the page runs before its first frame. */
  wait: number;
  /** Device pixels per CSS pixel. */
  dpi: number;
  /** Additional fonts: URL by family name. */
  fonts?: Readonly<Record<string, string>>;
  /** Alignment of a snippet that does not fill its page. */
  place?: ContentPlace;
  /** Path of the element, for errors. */
  path?: string;
}

/** Alignment per axis; absent: the snippet takes the full width or height. */
export interface ContentPlace {
  horizontal?: PlaceAlong;
  vertical?: PlaceAlong;
}

/** `low`: left or top. `margin`: distance from that side in CSS pixels. */
interface PlaceAlong {
  at: 'low' | 'center' | 'high';
  margin: number;
}

/** Frames to draw. */
export interface HtmlTiming {
  fps: { num: number; den: number };
  /** Number of frames for which the page is shown. */
  frames: number;
  signal?: AbortSignal;
}

/** A drawn page. */
export interface HtmlSprite {
  /** `image`: a PNG; `sequence`: a sequence file at the movie's frame rate. */
  kind: 'image' | 'sequence';
  path: string;
  /** Device pixels. */
  width: number;
  height: number;
  /** Without the element's path. */
  warnings: string[];
}

/** Part of cache keys; increase when drawing changes the result for the same page. */
const drawingVersion = 1;

/** Hash of everything that determines the images of a page without network requests. */
export function pageKey(page: HtmlPage, { fps, frames }: HtmlTiming, surroundings: readonly string[]): string {
  const { html, url, width, height, css, tailwind, wait, dpi, fonts, place } = page;
  const keyParts = [drawingVersion, html, url, width, height, Object.entries(css), tailwind, wait, dpi, fonts, place, fps.num, fps.den, frames, surroundings];
  return createHash('sha256').update(JSON.stringify(keyParts)).digest('hex').slice(0, 40);
}

/** Size of the image in device pixels. */
export function windowSize({ width, height, dpi }: HtmlPage): { width: number; height: number } {
  return { width: Math.round(width * dpi), height: Math.round(height * dpi) };
}
