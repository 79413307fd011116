import type { TextElement, Visual } from '../movie.js';
import { joinPath } from '../script/fail.js';
import { Fields } from '../script/fields.js';
import { schemaPart } from '../script/schema.js';
import { canvasScale } from '../values/canvas.js';
import type { ElementContext } from './context.js';
import { parseTimed } from './timed.js';
import { parseTypography } from './typography.js';
import { parseVisual } from './visual.js';

/** The styling of a text may stand on the element and in its settings. */
export function parseText(object: Readonly<Record<string, unknown>>, own: Fields, path: string, context: ElementContext): TextElement {
  const settings = (Object.hasOwn(object, 'settings') ? object.settings : undefined) ?? {};
  const inSettings = { object: settings as Record<string, unknown>, path: joinPath(path, 'settings'), schema: schemaPart('textSettings') };
  const styling = new Fields({ object, path, schema: schemaPart('text') }, inSettings);
  const visual = { ...parseVisual(own, context), opacity: styling.number('opacity') };
  const style = own.string('style') as TextElement['style'];
  const placement = { position: visual.position, widthIsAuto: visual.width <= 0, heightIsAuto: visual.height <= 0 };
  return {
    type: 'text',
    ...parseTimed(own, path, context),
    ...visual,
    // The one tag that published scripts write into texts.
    text: own.string('text').replaceAll(/<br\s*\/?>/gi, '\n'),
    style,
    typography: { ...parseTypography(styling, style, context, placement), ...parseBlockWidth(new Fields(inSettings), visual, context) },
  };
}

/** On the element, width is that of the box in which the block is laid out; in its settings that of the block. */
function parseBlockWidth(settings: Fields, { width }: Pick<Visual, 'width'>, { canvas }: ElementContext): Pick<TextElement['typography'], 'blockWidth'> {
  const found = settings.find('width')?.value;
  if (found === undefined || found === 'auto') return {};
  const blockWidth = settings.length('width', canvasScale(canvas, width > 0 ? width : canvas.width));
  return blockWidth === undefined ? {} : { blockWidth };
}
