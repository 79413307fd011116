import type { LoopAnimation, PhaseAnimation } from '../../animation/index.js';
import type { Keyframe, TextElement, Typography, Visual } from '../../movie.js';
import { fail, joinPath, propertyName, show } from '../../validation/fail.js';
import { Fields } from '../../validation/fields.js';
import { schemaPart } from '../../validation/schema.js';
import { canvasScale } from '../../values/canvas.js';
import type { LengthScale } from '../../values/lengths.js';
import type { ElementContext } from '../context.js';
import { parseTimed } from '../timed.js';
import { parseVarying } from '../varying.js';
import { parseVisual } from '../visual.js';
import { isHidden, parseTextBox } from './box.js';
import { parseDeclarations, type TextDeclarations, unsupportedProperties } from './declarations.js';
import { parseTextEffects, type TextEffects } from './effects.js';
import { parseFlexAlignment, parseIndent } from './flow.js';
import { parseMarkup } from './markup.js';
import { parseShadowList, parseTypography } from './typography.js';

/** Parses a text element; its style properties may be on the element or in its settings. */
export function parseText(object: Readonly<Record<string, unknown>>, path: string, context: ElementContext): TextElement {
  const own = new Fields({ object, path, schema: schemaPart('text') });
  const settings = ((Object.hasOwn(object, 'settings') ? object.settings : undefined) ?? {}) as Record<string, unknown>;
  const inSettings = { object: settings, path: joinPath(path, 'settings'), schema: schemaPart('textSettings') };
  const warnings = unsupportedProperties(settings, inSettings.path);
  const styling = new Fields({ object, path, schema: schemaPart('text') }, inSettings);
  const sheet = parseDeclarations(settings, inSettings.path);
  const visual = { ...parseVisual('text', own, context), opacity: styling.number('opacity') };
  const style = own.string('style') as TextElement['style'];
  const placement = { position: visual.position, widthIsAuto: visual.width <= 0, heightIsAuto: visual.height <= 0 };
  const typography = parseTypography(styling, style, context, placement, sheet);
  const scale = { ...canvasScale(context.canvas, context.canvas.width), em: typography.fontSize };
  const effects = parseTextEffects(sheet, scale);
  const room = elementSize(visual, context);
  const width = parseBlockWidth(new Fields(inSettings), visual, context);
  const text = textOf(own.string('text'), typography.hyphens, sheet);
  const marked = own.flag('markup')
    ? parseMarkup(text, { path: own.pathOf('text'), typography, scale: { ...scale, percent: typography.fontSize } })
    : undefined;
  warnings.push(...(visual.warnings ?? []), ...effects.warnings, ...(marked?.warnings ?? []));
  const timed = parseTimed(own, path, context);
  const parse = (changed: Readonly<Record<string, unknown>>) => parseText(changed, path, context);
  const varying = parseVarying({ type: 'text', object, path, keyframes: timed.keyframes, parse });
  if (varying.varying !== undefined) checkStaysWhole(own, style, visual.animate);
  const block = { ...typography, ...parseTextBox(sheet, typography, scale, room, dropShadows(effects, sheet, scale)), ...width };
  if (varying.varying === undefined) warnings.push(...unseenColors(timed.keyframes, block));
  return {
    type: 'text',
    ...timed,
    ...varying,
    ...visual,
    ...(effects.blur === undefined || visual.blur > 0 ? {} : { blur: effects.blur }),
    text: marked?.text ?? text,
    ...(marked === undefined || marked.spans.length === 0 ? {} : { spans: marked.spans }),
    style,
    typography: {
      ...block,
      ...parseIndent(sheet, scale, (block.blockWidth ?? room.width) - typography.padding.left - typography.padding.right),
      ...parseFlexAlignment(sheet),
      ...(effects.transform === undefined ? {} : { transform: effects.transform }),
    },
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** Warnings of colours in keyframes that the text does not show. */
function unseenColors(keyframes: readonly Keyframe[], { stroke, box }: Typography): string[] {
  const hasBorder = box !== undefined && Object.values(box.border.widths).some((width) => width > 0);
  const uses = (property: 'strokeColor' | 'borderColor') => keyframes.some((keyframe) => keyframe[property] !== undefined);
  return [
    ...(uses('strokeColor') && stroke === undefined ? ['keyframes change text_stroke_color, but the text has no text_stroke'] : []),
    ...(uses('borderColor') && !hasBorder ? ['keyframes change border_color, but the text has no border'] : []),
  ];
}

/** Refuses motion of the parts of a text that is drawn anew in each frame. */
function checkStaysWhole(own: Fields, style: TextElement['style'], animate: TextElement['animate']): void {
  const phases = [animate?.in, animate?.out, animate?.loop];
  const reason = animate === undefined ? (movesParts.has(style) ? `style "${style}"` : undefined) : phases.some(isByPart) ? 'animate' : undefined;
  if (reason === undefined) return;
  const path = own.pathOf('keyframes');
  fail(
    path,
    `keyframes that lay out a text anew (font_size, font_weight, line_height, letter_spacing, settings) cannot be combined with ${reason}, which moves its parts one by one; animate by "element", or use keyframes of scale, opacity and colours.`,
  );
}

/** Styles that move words or letters. */
const movesParts: ReadonlySet<string> = new Set(['003', '004', '005', '006', '007', '008', '009', '010']);

function isByPart(phase: PhaseAnimation | LoopAnimation | undefined): boolean {
  return phase !== undefined && (phase.by !== 'element' || phase.type === 'scramble' || phase.type === 'draw-on');
}

/** The displayed text: white space is collapsed by CSS rules, and `<br>`, which published scripts contain, is a line break. */
function textOf(text: string, hyphens: Typography['hyphens'], sheet: TextDeclarations): string {
  const { declared } = sheet;
  if (isHidden(sheet)) return '';
  const collapses = declared['white-space'] === 'normal' || declared['white-space'] === 'nowrap';
  const collapsed = collapses ? text.replaceAll(/\s*[\r\n]+\s*/g, ' ') : text;
  const shown = hyphens === 'none' ? collapsed.replaceAll('\u00ad', '') : collapsed;
  return shown.replaceAll(/<br\s*\/?>/gi, '\n');
}

function elementSize({ width, height }: Pick<Visual, 'width' | 'height'>, { canvas }: ElementContext): { width: number; height: number } {
  return { width: width > 0 ? width : canvas.width, height: height > 0 ? height : canvas.height };
}

function dropShadows({ dropShadows: given }: TextEffects, { declared, path }: TextDeclarations, scale: LengthScale): Typography['shadows'] {
  return given.flatMap((shadow) => {
    const parsed = parseShadowList(shadow, scale);
    return (
      parsed ?? fail(path('filter'), `${propertyName(path('filter'))} must have shadows like "drop-shadow(2px 2px 4px black)"; not ${show(declared.filter)}.`)
    );
  });
}

/** Parses `width` of the settings, the width of the text block; `width` of the element is that of its box. */
function parseBlockWidth(settings: Fields, { width }: Pick<Visual, 'width'>, { canvas }: ElementContext): Pick<TextElement['typography'], 'blockWidth'> {
  const found = settings.find('width')?.value;
  if (found === undefined || found === 'auto') return {};
  const blockWidth = settings.length('width', canvasScale(canvas, width > 0 ? width : canvas.width));
  return blockWidth === undefined ? {} : { blockWidth };
}
