import type { Color, Position, SubtitleLook, SubtitlesElement } from '../movie.js';
import { fail, joinPath } from '../validation/fail.js';
import { colorOf, Fields } from '../validation/fields.js';
import { schemaPart } from '../validation/schema.js';
import { canvasScale } from '../values/canvas.js';
import { parsePosition } from '../values/positions.js';
import type { ElementContext } from './context.js';
import { presetOf, presetPlace, sideMargin } from './subtitle-presets.js';
import { isFontAddress, parseFamilies } from './text/font-families.js';
import { parseWeight } from './text/typography.js';
import { parseTimed } from './timed.js';

/** Default font size as a fraction of the movie's width. */
const DEFAULT_SIZE = 0.05;

/** Parses a subtitles element. */
export function parseSubtitles(fields: Fields, path: string, context: ElementContext): SubtitlesElement {
  const captions = parseCaptions(fields, context);
  return {
    type: 'subtitles',
    ...parseTimed(fields, path, context),
    zIndex: fields.number('z-index'),
    ...(captions === undefined ? {} : { captions }),
    language: fields.string('language'),
    model: fields.string('model'),
    look: parseLook(fields, context),
  };
}

/** A text with line breaks is the captions themselves, a single line their URL. */
function parseCaptions(fields: Fields, context: ElementContext): SubtitlesElement['captions'] {
  for (const name of ['captions', 'src']) {
    const text = fields.optionalString(name)?.trim();
    if (text === undefined || text === '') continue;
    if (/[\n\r]/.test(text)) return { text };
    const reason = context.checkUrl(text);
    return reason === undefined
      ? { url: text }
      : fail(fields.pathOf(name), `${name} must be SRT, WebVTT or ASS, or a URL of it; as a URL it is refused: ${reason}.`);
  }
  return undefined;
}

function parseLook(element: Fields, context: ElementContext): SubtitleLook {
  const { canvas } = context;
  const settings = element.object('settings') ?? new Fields({ object: {}, path: element.pathOf('settings'), schema: schemaPart('subtitleSettings') });
  const style = settings.string('style') as SubtitleLook['style'];
  const preset = presetOf(style);
  const isGiven = (name: string): boolean => settings.find(name) !== undefined;
  const standardSize = preset === undefined ? canvas.width * DEFAULT_SIZE : Math.min(canvas.width, canvas.height) * preset.fontSize;
  const fontSize = settings.length('font-size', canvasScale(canvas, canvas.width)) ?? standardSize;
  const scale = (side: 'width' | 'height') => ({ ...canvasScale(canvas, canvas[side]), em: fontSize });
  const [fontUrl, fontFamily] = parseFont(settings, context);
  const color = (name: string, standard: string | undefined): Color =>
    standard === undefined || isGiven(name) ? settings.color(name) : colorOf(standard, settings.pathOf(name));
  const outlineWidth = preset === undefined || isGiven('outline-width') ? settings.number('outline-width') : preset.outline * fontSize;
  const hasPresetWeight = preset !== undefined && !isGiven('font-weight');
  const isPlaced = preset === undefined || isGiven('position');
  return {
    style,
    fontFamily: preset === undefined || isGiven('font-family') ? fontFamily : preset.fontFamily,
    ...(fontUrl === undefined ? {} : { fontUrl }),
    fontSize,
    fontWeight: hasPresetWeight ? preset.fontWeight : parseWeight(settings),
    acceptsOtherWeight: hasPresetWeight,
    wordColor: color('word-color', preset?.wordColor),
    lineColor: color(isGiven('line-color') ? 'line-color' : 'font-color', preset?.lineColor),
    boxColor: color('box-color', preset?.boxColor),
    speakerColors: parseSpeakerColors(settings),
    gradientColor: settings.color('gradient-color'),
    sideMargin: sideMargin(style, canvas),
    outline: { width: Math.max(0, outlineWidth), color: settings.color('outline-color') },
    shadow: { offset: settings.number('shadow-offset'), color: settings.color('shadow-color') },
    maxWordsPerLine: preset === undefined || isGiven('max-words-per-line') ? settings.number('max-words-per-line') : preset.maxWords,
    allCaps: preset === undefined || isGiven('all-caps') ? settings.flag('all-caps') : preset.allCaps,
    ...(isPlaced
      ? { position: placeOf(settings.string('position')), x: settings.length('x', scale('width')) ?? 0, y: settings.length('y', scale('height')) ?? 0 }
      : presetPlace(style, canvas)),
    offsetY: settings.length('offset-y', scale('height')) ?? 0,
    keywords: (settings.find('keywords')?.value ?? []) as string[],
    replace: (settings.find('replace')?.value ?? {}) as Record<string, string>,
  };
}

function placeOf(name: string): SubtitleLook['position'] {
  return name === 'mid-top-center' || name === 'mid-bottom-center' ? name : (parsePosition(name) satisfies Position);
}

function parseSpeakerColors(settings: Fields): Color[] {
  const found = settings.find('speaker-colors');
  return ((found?.value ?? []) as unknown[]).map((color, index) => colorOf(color, joinPath(found?.path ?? '', index)));
}

/** URL of the font file, if any, and the family used otherwise. */
function parseFont(settings: Fields, context: ElementContext): [url: string | undefined, family: string] {
  const families = parseFamilies(settings, settings.string('font-family'), context.checkUrl);
  const url = families.find(isFontAddress);
  const named = families.filter((family) => family !== url);
  return [url, named.length > 0 ? named.join(', ') : 'Arial'];
}
