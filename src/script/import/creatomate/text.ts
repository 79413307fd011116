import { isObject, round, type SourceFields } from '../fields.js';
import { type ElementPlacement, lengthOf, percentOf, readBox } from './box.js';
import { transforms } from './tables.js';

const across = ['left', 'center', 'right'];
const down = ['top', 'center', 'bottom'];

export function readText(place: ElementPlacement): object {
  const { fields, canvas } = place;
  const box = readBox(place);
  const place3 = (name: string, names: readonly string[]): string => names[Math.round((percentOf(fields.raw(name)) ?? 0) * 2)] ?? 'left';
  // Without a size, the block has the size of its text and is aligned to its anchor.
  const [x, y] = [
    fields.has('width') ? place3('x_alignment', across) : anchored('x_anchor', fields, across),
    fields.has('height') ? place3('y_alignment', down) : anchored('y_anchor', fields, down),
  ];
  if (!fields.has('width')) fields.ignore('x_alignment');
  if (!fields.has('height')) fields.ignore('y_alignment');
  const size = lengthOf(fields.raw('font_size'), canvas.height, canvas);
  for (const name of ['font_size_minimum', 'font_size_maximum'])
    if (fields.has(name)) fields.approximate(name, 'the font size is fitted to the box without limits');
  const text = fields.text('text') ?? '';
  const plain = text.replace(/\[\w+ [^\]]*\]|\[\/\w+\]/g, '');
  if (plain !== text) fields.approximate('text', 'the whole text has one style');
  const weight = fields.raw('font_weight');
  return {
    type: 'text',
    text: plain,
    x: box.x,
    y: box.y,
    width: box.width,
    height: box.height,
    font: fields.text('font_family') ?? 'Inter',
    font_size: size === undefined ? 'auto' : round(size),
    color: fields.text('fill_color') ?? '#000000',
    ...(weight !== undefined && { font_weight: typeof weight === 'number' ? weight : String(weight) }),
    ...(fields.text('font_style') === 'italic' && { font_style: 'italic' }),
    horizontal_position: x,
    vertical_position: y,
    text_align: fields.has('x_alignment') ? place3('x_alignment', across) : x,
    line_height: percentOf(fields.raw('line_height')) ?? 1.15,
    ...readSpacing(fields),
    ...(fields.has('text_transform') && { text_transform: fields.choice('text_transform', transforms) ?? 'none' }),
    ...readShadow(place),
    ...readStroke(place),
    ...readBackground(place, size),
  };
}

function anchored(name: string, fields: SourceFields, names: readonly string[]): string {
  return names[Math.round((percentOf(fields.raw(name)) ?? 0.5) * 2)] ?? 'center';
}

function readSpacing(fields: SourceFields): object {
  const spacing = percentOf(fields.raw('letter_spacing'));
  fields.omitAll({ text_clip: 'boxes do not clip overflow' });
  return {
    ...(spacing !== undefined && spacing !== 0 && { letter_spacing: `${spacing}em` }),
    ...(fields.flag('text_wrap') === false && { settings: { white_space: 'pre' } }),
  };
}

function readShadow({ fields, canvas }: ElementPlacement): object {
  const color = fields.text('shadow_color');
  const px = (name: string): number => round(lengthOf(fields.raw(name), canvas.height, canvas) ?? 0);
  const [x, y, blur] = [px('shadow_x'), px('shadow_y'), px('shadow_blur')];
  return { text_shadow: color === undefined ? 'none' : `${x}px ${y}px ${blur}px ${color}` };
}

function readStroke({ fields, canvas }: ElementPlacement): object {
  const color = fields.text('stroke_color');
  const width = lengthOf(fields.raw('stroke_width'), canvas.height, canvas) ?? 1;
  fields.omitAll({ stroke_join: 'joins are round', stroke_cap: 'caps are fixed' });
  return color === undefined ? {} : { text_stroke: `${round(width)}px ${color}` };
}

function readBackground({ fields, canvas }: ElementPlacement, fontSize: number | undefined): object {
  const color = fields.text('background_color');
  const em = (name: string): string => `${percentOf(fields.raw(name)) ?? 0.25}em`;
  const [x, y] = [em('background_x_padding'), em('background_y_padding')];
  const radius = percentOf(fields.raw('background_border_radius'));
  fields.omitAll({ background_align_threshold: 'the background is one block' });
  if (color === undefined) return {};
  return {
    background_color: color,
    padding: `${y} ${x}`,
    ...(radius !== undefined && { border_radius: round(radius * (fontSize ?? canvas.height / 20)) }),
  };
}

/** Converts rectangles and ellipses to a text block with a background; other paths to their bounding rectangle. */
export function readShape(place: ElementPlacement): object {
  const { fields, canvas } = place;
  const { x, y, width, height } = readBox(place);
  const outline = fields.text('path') ?? '';
  const isRound = /[AaCc]/.test(outline);
  const corners = outline.match(/[\d.]+%?\s*,?\s*[\d.]+%?/g)?.length ?? 0;
  if (outline !== '' && !isRound && corners > 5) fields.approximate('path', 'a rectangle around it');
  if (isRound) fields.approximate('path', 'an ellipse');
  const radius = lengthOf(fields.raw('border_radius'), Math.min(width, height), canvas);
  const strokeColor = fields.text('stroke_color');
  const strokeWidth = lengthOf(fields.raw('stroke_width'), canvas.height, canvas) ?? 1;
  fields.omitAll({ stroke_join: 'joins are round', stroke_cap: 'caps are fixed' });
  return {
    type: 'text',
    text: ' ',
    x,
    y,
    width,
    height,
    settings: {
      background: readFill(fields),
      width: `${width}px`,
      min_height: `${height}px`,
      ...(isRound ? { border_radius: '50%' } : radius !== undefined && { border_radius: `${round(radius)}px` }),
      ...(strokeColor !== undefined && { border: `${round(strokeWidth)}px solid ${strokeColor}` }),
    },
  };
}

/** A colour, or a gradient from its stops. */
function readFill(fields: SourceFields): string {
  const mode = fields.text('fill_mode') ?? 'solid';
  const color = fields.raw('fill_color');
  const ends = { fill_x0: 'gradients start at the edge', fill_y0: 'gradients start at the edge', fill_radius: 'gradients end at the edge' };
  for (const [name, why] of Object.entries(ends)) if (fields.has(name)) fields.approximate(name, why);
  const [x1, y1] = [percentOf(fields.raw('fill_x1')) ?? 1, percentOf(fields.raw('fill_y1')) ?? 0];
  if (typeof color === 'string') return color;
  const stops = (Array.isArray(color) ? color : [])
    .filter(isObject)
    .map(({ color: stop, offset }) => `${String(stop)} ${round((percentOf(offset) ?? 0) * 100)}%`);
  if (stops.length < 2) return 'transparent';
  const degrees = Math.round((Math.atan2(y1, x1) * 180) / Math.PI + 90);
  return mode === 'radial' ? `radial-gradient(circle, ${stops.join(', ')})` : `linear-gradient(${degrees}deg, ${stops.join(', ')})`;
}
