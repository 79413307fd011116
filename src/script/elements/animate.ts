import {
  type Animate,
  type AnimatedPart,
  type Direction,
  defaultDirection,
  defaultPart,
  type EntranceType,
  EXIT_PACE,
  entrancePresets,
  entranceProperties,
  HIGHLIGHT_COLOR,
  type LoopAnimation,
  type LoopType,
  loopProperties,
  loopSeconds,
  type PhaseAnimation,
  textOnly,
} from '../animation/index.js';
import { fail, propertyName } from '../validation/fail.js';
import { Fields } from '../validation/fields.js';
import { schemaPart } from '../validation/schema.js';
import { canvasScale } from '../values/canvas.js';
import { parseEasing } from '../values/easings.js';
import type { ElementContext } from './context.js';

type Phase = 'in' | 'out' | 'loop';

const parts = { in: 'entrance', out: 'exit', loop: 'loopAnimation' } as const;

/** Parses `animate` of a visual element of schema type `kind`; absent when it animates nothing. Warns of properties without effect. Throws SCHEMA_VALIDATION_ERROR. */
export function parseAnimate(element: Fields, kind: string, context: ElementContext): { animate?: Animate; warnings?: string[] } {
  const animate = element.object('animate');
  if (animate === undefined) return {};
  const phase = (name: Phase) => phaseFields(animate, name);
  const subject = { kind, isRightToLeft: kind === 'text' && startsRightToLeft(element.optionalString('text') ?? '') };
  const [entrance, exit, loop] = [phase('in'), phase('out'), phase('loop')];
  const parsed: Animate = {
    ...(entrance && { in: parsePhase(entrance, 'in', subject, context) }),
    ...(exit && { out: parsePhase(exit, 'out', subject, context) }),
    ...(loop && { loop: parseLoop(loop, kind, context) }),
  };
  const warnings = [
    ...(entrance && parsed.in ? unusedProperties(entrance, 'in', parsed.in.by) : []),
    ...(loop && parsed.loop ? unusedProperties(loop, 'loop', parsed.loop.by) : []),
    ...(exit && parsed.out ? unusedProperties(exit, 'out', parsed.out.by) : []),
  ];
  return { ...(Object.keys(parsed).length > 0 && { animate: parsed }), ...(warnings.length > 0 && { warnings }) };
}

/** A warning for each property that the type of a phase does not have. */
function unusedProperties({ fields }: PhaseFields, phase: Phase, by: AnimatedPart): string[] {
  const type = fields.string('type');
  const isGiven = (name: string): boolean => fields.find(name) !== undefined;
  const properties: Readonly<Record<string, readonly string[]>> = phase === 'loop' ? loopProperties : entranceProperties;
  const unused = Object.entries(properties).filter(([name, types]) => !types.includes(type) && isGiven(name));
  return [
    ...unused.map(([name, types]) => `animate.${phase}.${name} has no effect on "${type}", only on ${types.map((other) => `"${other}"`).join(', ')}`),
    ...(by === 'element' && isGiven('stagger') ? [`animate.${phase}.stagger has no effect, because the element moves as one`] : []),
  ];
}

/** The object of a phase; a preset's name stands for an object with this type. */
function phaseFields(animate: Fields, name: Phase): PhaseFields | undefined {
  const found = animate.find(name);
  if (found === undefined) return undefined;
  const isPreset = typeof found.value === 'string';
  const object = isPreset ? { type: found.value } : (found.value as Record<string, unknown>);
  const fields = new Fields({ object, path: found.path, schema: schemaPart(parts[name]) });
  return { fields, typePath: isPreset ? found.path : fields.pathOf('type') };
}

interface PhaseFields {
  fields: Fields;
  /** Where the script names the type. */
  typePath: string;
}

/** The element that is animated. */
interface Subject {
  /** Schema type. */
  kind: string;
  isRightToLeft: boolean;
}

/** Whether the first letter of a text, outside of markup, is of a script that is written from right to left. */
function startsRightToLeft(text: string): boolean {
  const [letter = ''] = /\p{L}/u.exec(text.replaceAll(/<[^>]*>/g, '')) ?? [];
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u.test(letter);
}

function parsePhase({ fields, typePath }: PhaseFields, phase: 'in' | 'out', { kind, isRightToLeft }: Subject, context: ElementContext): PhaseAnimation {
  const type = fields.string('type') as EntranceType;
  checkType(typePath, type, kind);
  const preset = entrancePresets[type];
  const by = parsePart(fields, type, kind);
  const isEntrance = phase === 'in';
  const color = type === 'highlight' ? (fields.find('color') === undefined ? HIGHLIGHT_COLOR : fields.color('color')) : undefined;
  return {
    type,
    ...parseCommon(fields, by, context),
    delay: isEntrance ? (fields.optionalNumber('delay') ?? 0) : 0,
    duration: fields.optionalNumber('duration') ?? preset.duration * (isEntrance ? 1 : EXIT_PACE),
    direction: (fields.optionalString('direction') as Direction | undefined) ?? defaultDirection(type, by, isRightToLeft),
    ...(color === undefined ? {} : { color }),
    easing: parseEasing(fields, isEntrance ? preset.easing : preset.exitEasing),
  };
}

function parseLoop({ fields }: PhaseFields, kind: string, context: ElementContext): LoopAnimation {
  const type = fields.string('type') as LoopType;
  const by = parsePart(fields, type, kind);
  if (type === 'spin' && by !== 'element') fail(fields.pathOf('by'), 'by must be "element" for the loop "spin"; "sway" moves lines, words and letters.');
  return {
    type,
    ...parseCommon(fields, by, context),
    delay: fields.optionalNumber('delay') ?? 0,
    duration: fields.optionalNumber('duration') ?? loopSeconds[type],
    direction: (fields.optionalString('direction') as Direction | undefined) ?? 'right',
  };
}

function parseCommon(fields: Fields, by: AnimatedPart, { canvas }: ElementContext): Pick<PhaseAnimation, 'by' | 'stagger' | 'distance' | 'amount'> {
  const stagger = fields.optionalNumber('stagger');
  const distance = fields.length('distance', canvasScale(canvas, Math.min(canvas.width, canvas.height)));
  const amount = fields.optionalNumber('amount');
  return { by, ...(stagger === undefined ? {} : { stagger }), ...(distance === undefined ? {} : { distance }), ...(amount === undefined ? {} : { amount }) };
}

function parsePart(fields: Fields, type: EntranceType | LoopType, kind: string): AnimatedPart {
  const by = (fields.optionalString('by') as AnimatedPart | undefined) ?? defaultPart(type, kind === 'text');
  if (by === 'element' || kind === 'text') return by;
  return fail(fields.pathOf('by'), `by must be "element" for elements of type "${kind}"; only a text can be animated by "line", "word" or "letter".`);
}

function checkType(path: string, type: EntranceType, kind: string): void {
  const allowed = Object.keys(entrancePresets).filter(
    (name) => (kind === 'text' || !textOnly.has(name as EntranceType)) && (name !== 'flip' || kind !== 'component'),
  );
  if (allowed.includes(type)) return;
  fail(path, `${propertyName(path)} must be one of ${allowed.map((name) => `"${name}"`).join(', ')} for elements of type "${kind}", not "${type}".`);
}
