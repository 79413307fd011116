import type { Corners, DropShadow, Glow, Visual } from '../movie.js';
import { fail, joinPath } from '../validation/fail.js';
import { Fields } from '../validation/fields.js';
import { schemaPart } from '../validation/schema.js';
import { canvasScale } from '../values/canvas.js';
import type { ElementContext } from './context.js';

type Depth = Pick<Visual, 'glow' | 'dropShadows' | 'rotateX' | 'rotateY' | 'perspective' | 'corners'>;

/** Parses the glow, the drop shadows and the perspective of a visual element. */
export function parseDepth(fields: Fields, context: ElementContext): Depth {
  const { canvas } = context;
  const shadows = parseDropShadows(fields, context);
  const glow = parseGlow(fields, context);
  const corners = parseCorners(fields) ?? keyedCorners(fields);
  const perspective = fields.length('perspective', canvasScale(canvas, canvas.width)) ?? Math.max(canvas.width, canvas.height);
  return {
    rotateX: fields.number('rotate-x'),
    rotateY: fields.number('rotate-y'),
    perspective,
    ...(glow && { glow }),
    ...(shadows.length > 0 && { dropShadows: shadows }),
    ...(corners && { corners }),
  };
}

/** Default blur radius and offset downwards, in hundredths of the shorter side of the canvas. */
const USUAL = { blur: 4, y: 1.5 };

function parseDropShadows(fields: Fields, { canvas }: ElementContext): DropShadow[] {
  const found = fields.find('drop-shadow');
  if (found === undefined || found.value === false) return [];
  const values = Array.isArray(found.value) ? found.value : [found.value === true ? {} : found.value];
  const unit = Math.min(canvas.width, canvas.height) / 100;
  return values.map((object: Record<string, unknown>, index) => {
    const path = Array.isArray(found.value) ? joinPath(found.path, index) : found.path;
    const shadow = new Fields({ object, path, schema: schemaPart('dropShadowPart') });
    const length = (name: string) => shadow.length(name, canvasScale(canvas, canvas.width));
    return { color: shadow.color('color'), blur: (length('blur') ?? USUAL.blur * unit) / 2, x: length('x') ?? 0, y: length('y') ?? USUAL.y * unit };
  });
}

/** Undefined if neither the element nor its keyframes have one. */
function parseGlow(fields: Fields, { canvas }: ElementContext): Glow | undefined {
  const value = fields.find('glow')?.value;
  const usual = usualGlow(canvas);
  if (value === undefined || typeof value === 'boolean') return value === true || isKeyed(fields, 'glow') ? usual : undefined;
  const glow = fields.object('glow') as Fields;
  const radius = glow.length('radius', canvasScale(canvas, canvas.width));
  return { color: glow.color('color'), radius: radius === undefined ? usual.radius : radius / 2, intensity: glow.number('intensity') };
}

function isKeyed(fields: Fields, name: string): boolean {
  const keyframes = (fields.find('keyframes')?.value ?? []) as Array<Record<string, unknown>>;
  return keyframes.some((keyframe) => keyframe[name] !== undefined && keyframe[name] !== null);
}

/** The glow of an element that says nothing else about it. */
function usualGlow({ width, height }: ElementContext['canvas']): Glow {
  return { color: { r: 255, g: 255, b: 255, a: 255 }, radius: ((USUAL.blur / 100) * Math.min(width, height)) / 2, intensity: 1 };
}

/** Smallest area, in square pixels, of each triangle of three neighbouring corners. */
const MIN_AREA = 1;

/** Those of the first keyframe that has corners. */
function keyedCorners(fields: Fields): Corners | undefined {
  const found = fields.find('keyframes');
  const keyframes = (found?.value ?? []) as Array<Record<string, unknown>>;
  const index = keyframes.findIndex(({ corners }) => corners !== undefined && corners !== null);
  if (index < 0 || found?.schema.items === undefined) return undefined;
  return parseCorners(
    fields,
    new Fields({ object: keyframes[index] as Record<string, unknown>, path: joinPath(found.path, index), schema: found.schema.items }),
  );
}

/** The corners of an element, or of one of its keyframes. */
export function parseCorners(element: Fields, fields = element): Corners | undefined {
  const found = fields.find('corners');
  if (found === undefined) return undefined;
  const other = ['rotate-x', 'rotate-y', 'perspective'].find((name) => element.find(name) !== undefined);
  if (other !== undefined) fail(element.pathOf(other), `${other.replace('-', '_')} cannot be combined with corners, which set the perspective.`);
  const corners = found.value as Corners;
  const areas = corners.map((_, index) => area(corner(corners, index), corner(corners, index + 1), corner(corners, index + 2)));
  if (!areas.every((value) => value > MIN_AREA) && !areas.every((value) => value < -MIN_AREA)) {
    fail(found.path, 'corners must be those of a convex shape, in the order top left, top right, bottom right, bottom left.');
  }
  return corners;
}

const corner = (corners: Corners, index: number): readonly [number, number] => corners[index % 4] as readonly [number, number];

/** Area of a triangle, positive if its corners are in clockwise order. */
function area([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number], [cx, cy]: readonly [number, number]): number {
  return ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2;
}
