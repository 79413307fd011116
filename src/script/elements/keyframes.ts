import type { Color, Keyframe } from '../movie.js';
import { alternatives, fail, joinPath, propertyName, show } from '../validation/fail.js';
import { Fields } from '../validation/fields.js';
import { canvasScale } from '../values/canvas.js';
import { parseEasing } from '../values/easings.js';
import type { ElementContext } from './context.js';
import { parseCorners } from './depth.js';
import { parseGrade, parseGradePart, parseMotionBlur } from './effects.js';
import { typesWith, undrawnProperty } from './varying.js';

type NumericProperty = { [K in keyof Keyframe]-?: NonNullable<Keyframe[K]> extends number ? K : never }[keyof Keyframe];
type ColorProperty = { [K in keyof Keyframe]-?: NonNullable<Keyframe[K]> extends Color ? K : never }[keyof Keyframe];

/** Properties that are numbers in a script too, by their names in it. */
const numbers = {
  scale: 'scale',
  rotation: 'rotation',
  'rotate-x': 'rotateX',
  'rotate-y': 'rotateY',
  'skew-x': 'skewX',
  'skew-y': 'skewY',
  opacity: 'opacity',
  volume: 'volume',
  balance: 'balance',
  pitch: 'pitch',
  brightness: 'brightness',
  contrast: 'contrast',
  gamma: 'gamma',
  saturation: 'saturation',
  sharpen: 'sharpen',
  grain: 'grain',
  amplitude: 'amplitude',
} as const satisfies Record<string, NumericProperty>;

/** Lengths, and the side of the canvas to which percentages refer. */
const lengths = {
  x: ['x', 'width'],
  y: ['y', 'height'],
  width: ['width', 'width'],
  height: ['height', 'height'],
  blur: ['blur', 'width'],
  'corner-radius': ['cornerRadius', 'width'],
  perspective: ['perspective', 'width'],
} as const satisfies Record<string, readonly [NumericProperty, 'width' | 'height']>;

const colors = {
  color: 'color',
  'background-color': 'backgroundColor',
  'text-stroke-color': 'strokeColor',
  'border-color': 'borderColor',
} as const satisfies Record<string, ColorProperty>;

/** Types of the elements with properties that not all have. */
const kindsOf: Readonly<Record<string, readonly string[]>> = {
  width: ['image', 'video', 'lottie', 'audiogram'],
  height: ['image', 'video', 'lottie', 'audiogram'],
  crop: ['image', 'video', 'lottie'],
  amplitude: ['audiogram'],
  color: ['text', 'audiogram'],
  'background-color': ['text'],
  'text-stroke-color': ['text'],
  'border-color': ['text'],
};

/** Parses the keyframes of an element. Throws SCHEMA_VALIDATION_ERROR if their times do not increase, and for properties that the element does not have. */
export function parseKeyframes(element: Fields, context: ElementContext): Keyframe[] {
  const found = element.find('keyframes');
  const schema = found?.schema.items;
  if (found === undefined || schema === undefined) return [];
  const type = element.find('type')?.value;
  let grade = parseGrade(element, context) ?? {};
  const list = (found.value as Array<Record<string, unknown>>).map((object, index) => {
    const fields = new Fields({ object, path: joinPath(found.path, index), schema });
    checkKind(fields, String(type));
    const changed = parseGradePart(fields, grade, context);
    grade = changed ?? grade;
    return { ...parseKeyframe(fields, element, context), ...(changed && { grade: changed }) };
  });
  checkCombinations(element, list, found.path);
  return checkOrder(list, found.path);
}

function checkKind(fields: Fields, type: string): void {
  const undrawn = undrawnProperty(fields, type);
  if (undrawn !== undefined) refuseKind(fields.pathOf(undrawn), typesWith(undrawn), type);
  for (const [name, kinds] of Object.entries(kindsOf)) {
    if (kinds.includes(type) || fields.find(name) === undefined) continue;
    refuseKind(fields.pathOf(name), kinds, type);
  }
}

function refuseKind(path: string, kinds: readonly string[], type: string): never {
  fail(path, `${propertyName(path)} in keyframes is for elements of type ${alternatives(kinds.map((kind) => `"${kind}"`))}, not "${type}".`);
}

/** Refuses what another property of the element excludes. */
function checkCombinations(element: Fields, list: readonly Keyframe[], path: string): void {
  const uses = (...properties: Array<keyof Keyframe>) => list.findIndex((keyframe) => properties.some((property) => keyframe[property] !== undefined));
  const sized = uses('width', 'height');
  const resize = element.find('resize')?.value;
  if (sized >= 0 && resize !== undefined && resize !== 'none')
    fail(joinPath(path, sized), `width and height in keyframes cannot be combined with resize ${show(resize)}, which sets the size.`);
  const viewed = uses('perspective');
  if (viewed >= 0 && element.find('corners') !== undefined)
    fail(joinPath(path, viewed), 'perspective in keyframes cannot be combined with corners, which set the perspective.');
  const colored = element.find('type')?.value === 'text' ? uses('color', 'backgroundColor', 'strokeColor', 'borderColor') : -1;
  if (colored >= 0 && element.optionalString('mask'))
    fail(joinPath(path, colored), 'colours in keyframes of a text cannot be combined with mask; put the text in a group with the mask.');
}

function parseKeyframe(fields: Fields, element: Fields, { canvas }: ElementContext): Keyframe {
  const corners = parseCorners(element, fields);
  const motionBlur = parseMotionBlur(fields);
  const keyframe: Keyframe = {
    time: parseTime(fields),
    easing: parseEasing(fields, 'linear'),
    ...parseCropWindow(fields),
    ...parseShadow(fields, canvas),
    ...parseGlow(fields, canvas),
    ...parseAnchor(fields),
    ...parseVignette(fields),
    ...parseChromaKey(fields, element),
    ...parseSound(fields, element),
    ...(corners && { corners }),
    ...(motionBlur !== undefined && { motionBlur }),
  };
  for (const [name, property] of Object.entries(numbers)) {
    const value = fields.optionalNumber(name);
    if (value !== undefined) keyframe[property] = value;
  }
  for (const [name, [property, side]] of Object.entries(lengths)) {
    const value = fields.length(name, canvasScale(canvas, canvas[side]));
    if (value !== undefined) keyframe[property] = value;
  }
  for (const [name, property] of Object.entries(colors)) if (fields.find(name) !== undefined) keyframe[property] = fields.color(name);
  return keyframe;
}

function parseCropWindow(fields: Fields): Pick<Keyframe, 'crop'> {
  const crop = fields.object('crop');
  return crop === undefined ? {} : { crop: { x: crop.number('x'), y: crop.number('y'), width: crop.number('width'), height: crop.number('height') } };
}

function parseShadow(fields: Fields, canvas: ElementContext['canvas']): Pick<Keyframe, 'shadowColor' | 'shadowBlur' | 'shadowX' | 'shadowY'> {
  const shadow = fields.object('drop-shadow');
  if (shadow === undefined) return {};
  const length = (name: string) => shadow.length(name, canvasScale(canvas, canvas.width));
  const [blur, x, y] = [length('blur'), length('x'), length('y')];
  return {
    ...(shadow.find('color') !== undefined && { shadowColor: shadow.color('color') }),
    ...(blur !== undefined && { shadowBlur: blur / 2 }),
    ...(x !== undefined && { shadowX: x }),
    ...(y !== undefined && { shadowY: y }),
  };
}

function parseGlow(fields: Fields, canvas: ElementContext['canvas']): Pick<Keyframe, 'glowColor' | 'glowRadius' | 'glowIntensity'> {
  const glow = fields.object('glow');
  if (glow === undefined) return {};
  const [radius, intensity] = [glow.length('radius', canvasScale(canvas, canvas.width)), glow.optionalNumber('intensity')];
  return {
    ...(glow.find('color') !== undefined && { glowColor: glow.color('color') }),
    ...(radius !== undefined && { glowRadius: radius / 2 }),
    ...(intensity !== undefined && { glowIntensity: intensity }),
  };
}

function parseVignette(fields: Fields): Pick<Keyframe, 'vignette' | 'vignetteSize' | 'vignetteSoftness'> {
  const value = fields.find('vignette')?.value;
  if (value === undefined) return {};
  const parts = typeof value === 'object' ? fields.object('vignette') : undefined;
  if (parts === undefined) return { vignette: fields.number('vignette') };
  const [amount, size, softness] = ['amount', 'size', 'softness'].map((name) => parts.optionalNumber(name));
  return {
    ...(amount !== undefined && { vignette: amount }),
    ...(size !== undefined && { vignetteSize: size }),
    ...(softness !== undefined && { vignetteSoftness: softness }),
  };
}

function parseChromaKey(fields: Fields, element: Fields): Pick<Keyframe, 'keyColor' | 'keyTolerance' | 'keySoftness' | 'keyDespill' | 'keyChoke'> {
  const key = fields.object('chroma-key');
  if (key === undefined) return {};
  const path = fields.pathOf('chroma-key');
  if (element.find('chroma-key') === undefined) fail(path, 'chroma_key in keyframes needs chroma_key of the element.');
  const [tolerance, softness, despill, choke] = ['tolerance', 'softness', 'despill', 'choke'].map((name) => key.optionalNumber(name));
  return {
    ...(key.find('color') !== undefined && { keyColor: key.color('color') }),
    ...(tolerance !== undefined && { keyTolerance: tolerance }),
    ...(softness !== undefined && { keySoftness: softness }),
    ...(despill !== undefined && { keyDespill: despill }),
    ...(choke !== undefined && { keyChoke: choke }),
  };
}

function parseSound(fields: Fields, element: Fields): Pick<Keyframe, 'equalizer' | 'reverbWet'> {
  const [bands, reverb] = [fields.find('equalizer'), fields.object('reverb')];
  const filters = (element.find('equalizer')?.value ?? []) as readonly unknown[];
  const values = (bands?.value ?? []) as ReadonlyArray<Record<string, unknown> | null>;
  if (bands !== undefined && values.length > filters.length)
    fail(bands.path, `equalizer in keyframes has ${values.length} filters, the element's equalizer only ${filters.length}.`);
  if (reverb !== undefined && element.find('reverb') === undefined) fail(fields.pathOf('reverb'), 'reverb in keyframes needs reverb of the element.');
  const wet = reverb?.optionalNumber('wet');
  return {
    ...(bands !== undefined && {
      equalizer: values.map((object, index) =>
        parseFilter(new Fields({ object: object ?? {}, path: joinPath(bands.path, index), schema: bands.schema.items ?? {} })),
      ),
    }),
    ...(wet !== undefined && { reverbWet: wet }),
  };
}

function parseFilter(fields: Fields): NonNullable<Keyframe['equalizer']>[number] {
  const [frequency, gain, q] = ['frequency', 'gain', 'q'].map((name) => fields.optionalNumber(name));
  return { ...(frequency !== undefined && { frequency }), ...(gain !== undefined && { gain }), ...(q !== undefined && { q }) };
}

function parseAnchor(fields: Fields): Pick<Keyframe, 'anchorX' | 'anchorY'> {
  const anchor = fields.object('anchor');
  const [x, y] = [anchor?.optionalNumber('x'), anchor?.optionalNumber('y')];
  return { ...(x !== undefined && { anchorX: x }), ...(y !== undefined && { anchorY: y }) };
}

function parseTime(fields: Fields): Keyframe['time'] {
  const value = fields.find('time')?.value;
  if (typeof value !== 'string' || !value.trim().endsWith('%')) return { seconds: fields.number('time') };
  const percent = Number(value.trim().slice(0, -1));
  if (!(percent >= 0 && percent <= 100)) fail(fields.pathOf('time'), `time must be a number of seconds or a percentage from 0% to 100%, not ${show(value)}.`);
  return { fraction: percent / 100 };
}

function checkOrder(list: Keyframe[], path: string): Keyframe[] {
  for (const [index, { time }] of list.entries()) {
    const previous = list[index - 1]?.time;
    if (previous === undefined) continue;
    // Seconds and percentages cannot be compared before the duration is known.
    const isEarlier =
      ('seconds' in time && 'seconds' in previous && time.seconds <= previous.seconds) ||
      ('fraction' in time && 'fraction' in previous && time.fraction <= previous.fraction);
    if (isEarlier) fail(joinPath(joinPath(path, index), 'time'), 'time must be later than that of the previous keyframe.');
  }
  return list;
}
