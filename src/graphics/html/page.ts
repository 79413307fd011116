import { createHash } from 'node:crypto';

/** What is shown: a piece of HTML in a transparent page of the given size, or a page of the web. */
export interface HtmlPage {
  html?: string;
  url?: string;
  /** CSS pixels. */
  width: number;
  height: number;
  /** CSS of the snippet's root. */
  css: Readonly<Record<string, string>>;
  tailwind: boolean;
  /** Seconds that pass before the first image. */
  wait: number;
  /** Device pixels for each CSS pixel; 2 gives an image of twice the size. */
  dpi: number;
  /** Further fonts, URL by family name. */
  fonts?: Readonly<Record<string, string>>;
  /** Where in the page a snippet stands that does not fill it. */
  place?: ContentPlace;
  /** Opens the message of an error; default: "the HTML page". */
  label?: string;
}

/** Towards left and top is low; absent: the snippet has the page's whole width or height. The margin, to that side, is in CSS pixels. */
export interface ContentPlace {
  horizontal?: PlaceAlong;
  vertical?: PlaceAlong;
}

export interface PlaceAlong {
  at: 'low' | 'center' | 'high';
  margin: number;
}

export interface HtmlTiming {
  fps: { num: number; den: number };
  /** How many frames will be shown. */
  frames: number;
  signal?: AbortSignal;
}

export interface HtmlSprite {
  /** A PNG, or a sequence file whose frames run at the movie's rate. */
  kind: 'image' | 'sequence';
  path: string;
  /** Device pixels. */
  width: number;
  height: number;
  /** Without the element's path. */
  warnings: string[];
}

/** Raised whenever the same page begins to give other images. */
const drawingVersion = 1;

/** Names all that decides the images of a page that needs no network. */
export function pageKey(page: HtmlPage, { fps, frames }: HtmlTiming, surroundings: readonly string[]): string {
  const { html, url, width, height, css, tailwind, wait, dpi, fonts, place } = page;
  const keyParts = [drawingVersion, html, url, width, height, Object.entries(css), tailwind, wait, dpi, fonts, place, fps.num, fps.den, frames, surroundings];
  return createHash('sha256').update(JSON.stringify(keyParts)).digest('hex').slice(0, 40);
}

/** Of the image, in device pixels. */
export function windowSize({ width, height, dpi }: HtmlPage): { width: number; height: number } {
  return { width: Math.round(width * dpi), height: Math.round(height * dpi) };
}
