/** A colour in linear light, or a triple of lengths. */
export type Triple = readonly [number, number, number];

/** Colour of a point of a surface, from its place in metres. */
export type Texture = (x: number, y: number, z: number) => Triple;

/** How a surface reflects and emits light. */
export interface Material {
  color: Triple | Texture;
  /** Reflectance at normal incidence; 0: matt. */
  gloss: number;
  /** Spread of reflections: 0 is a mirror. */
  roughness: number;
  /** Radiance that the surface emits. */
  glow: number;
}

/** An ellipsoid, box or vertical cylinder: a unit shape that is scaled, turned about the vertical axis and moved. */
export interface Shape {
  kind: 'ball' | 'box' | 'drum';
  x: number;
  y: number;
  z: number;
  /** Half the size along each axis. */
  sx: number;
  sy: number;
  sz: number;
  sin: number;
  cos: number;
  /** Square of the radius of a ball around the shape. */
  reach: number;
  material: Material;
}

/** A ray that meets the scene: set by `meet`. */
export interface Hit {
  distance: number;
  shape: Shape | undefined;
  nx: number;
  ny: number;
  nz: number;
}

/** Converts an sRGB colour `#rrggbb` to linear light. */
export function linear(color: string): Triple {
  const channel = (at: number): number => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2;
  return [channel(1), channel(3), channel(5)];
}

/** A material of one colour or texture. */
export function surface(color: string | Texture, more: Partial<Omit<Material, 'color'>> = {}): Material {
  return { color: typeof color === 'string' ? linear(color) : color, gloss: 0, roughness: 0.2, glow: 0, ...more };
}

/** A shape from its centre, its full size and its turn in degrees. */
export function shape(kind: Shape['kind'], center: Triple, size: Triple, material: Material, turn = 0): Shape {
  const angle = (turn * Math.PI) / 180;
  const [x, y, z] = center;
  const [sx, sy, sz] = [size[0] / 2, size[1] / 2, size[2] / 2];
  const reach = kind === 'ball' ? Math.max(sx, sy, sz) ** 2 : sx ** 2 + sy ** 2 + sz ** 2;
  return { kind, x, y, z, sx, sy, sz, sin: Math.sin(angle), cos: Math.cos(angle), reach, material };
}

/** Neighbouring shapes with a ball around them, which a ray that misses the ball misses too. */
export interface Group {
  x: number;
  y: number;
  z: number;
  reach: number;
  shapes: readonly Shape[];
}

/** Groups shapes as they are listed: what is listed together stands together. Large ones, such as walls, are on their own. */
export function group(shapes: readonly Shape[]): Group[] {
  const isLarge = ({ reach }: Shape): boolean => reach > 4;
  const small = shapes.filter((one) => !isLarge(one));
  const lists = [shapes.filter(isLarge)];
  for (let at = 0; at < small.length; at += 7) lists.push(small.slice(at, at + 7));
  return lists.map((list) => {
    const mean = (axis: 'x' | 'y' | 'z'): number => list.reduce((sum, one) => sum + one[axis], 0) / Math.max(1, list.length);
    const [x, y, z] = [mean('x'), mean('y'), mean('z')];
    const radius = Math.max(0, ...list.map((one) => Math.hypot(one.x - x, one.y - y, one.z - z) + Math.sqrt(one.reach)));
    return { x, y, z, reach: radius ** 2, shapes: list };
  });
}

function misses(ball: Group | Shape, ox: number, oy: number, oz: number, dx: number, dy: number, dz: number): boolean {
  const px = ox - ball.x;
  const py = oy - ball.y;
  const pz = oz - ball.z;
  const along = px * dx + py * dy + pz * dz;
  const apart = px * px + py * py + pz * pz;
  return apart - along * along > ball.reach || (along > 0 && apart > ball.reach);
}

const far = 1e9;
const near = 1e-4;

/** Distance along a ray of unit length to a shape, or `far`. */
function meetShape(one: Shape, ox: number, oy: number, oz: number, dx: number, dy: number, dz: number): number {
  if (misses(one, ox, oy, oz, dx, dy, dz)) return far;
  const px = ox - one.x;
  const py = oy - one.y;
  const pz = oz - one.z;
  const { sin, cos, sx, sy, sz } = one;
  const ux = (px * cos - pz * sin) / sx;
  const uy = py / sy;
  const uz = (px * sin + pz * cos) / sz;
  const vx = (dx * cos - dz * sin) / sx;
  const vy = dy / sy;
  const vz = (dx * sin + dz * cos) / sz;
  if (one.kind === 'ball') return meetRound(vx * vx + vy * vy + vz * vz, ux * vx + uy * vy + uz * vz, ux * ux + uy * uy + uz * uz - 1);
  return one.kind === 'box' ? meetBox(ux, uy, uz, vx, vy, vz) : meetDrum(ux, uy, uz, vx, vy, vz);
}

function meetRound(a: number, b: number, c: number): number {
  const root = b * b - a * c;
  if (root < 0) return far;
  const width = Math.sqrt(root);
  const first = (-b - width) / a;
  if (first > near) return first;
  const second = (-b + width) / a;
  return second > near ? second : far;
}

function meetBox(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number): number {
  const x1 = (-1 - ox) / dx;
  const x2 = (1 - ox) / dx;
  const y1 = (-1 - oy) / dy;
  const y2 = (1 - oy) / dy;
  const z1 = (-1 - oz) / dz;
  const z2 = (1 - oz) / dz;
  const enter = Math.max(Math.min(x1, x2), Math.min(y1, y2), Math.min(z1, z2));
  const leave = Math.min(Math.max(x1, x2), Math.max(y1, y2), Math.max(z1, z2));
  if (!(enter <= leave)) return far;
  if (enter > near) return enter;
  return leave > near ? leave : far;
}

function meetDrum(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number): number {
  let best = far;
  const a = dx * dx + dz * dz;
  const b = ox * dx + oz * dz;
  const root = b * b - a * (ox * ox + oz * oz - 1);
  if (root < 0 || a === 0) return best;
  const width = Math.sqrt(root);
  for (let side = -1; side <= 1; side += 2) {
    const onSide = (-b + side * width) / a;
    if (onSide > near && onSide < best && Math.abs(oy + onSide * dy) <= 1) best = onSide;
    const onLid = (side - oy) / dy;
    if (onLid > near && onLid < best && (ox + onLid * dx) ** 2 + (oz + onLid * dz) ** 2 <= 1) best = onLid;
  }
  return best;
}

/** Finds the first shape on a ray of unit length and the normal there, which faces the ray's origin. */
export function meet(groups: readonly Group[], hit: Hit, ox: number, oy: number, oz: number, dx: number, dy: number, dz: number): boolean {
  hit.distance = far;
  hit.shape = undefined;
  for (const some of groups) {
    if (misses(some, ox, oy, oz, dx, dy, dz)) continue;
    for (const one of some.shapes) {
      const distance = meetShape(one, ox, oy, oz, dx, dy, dz);
      if (distance < hit.distance) {
        hit.distance = distance;
        hit.shape = one;
      }
    }
  }
  if (hit.shape === undefined) return false;
  setNormal(hit, hit.shape, ox + dx * hit.distance, oy + dy * hit.distance, oz + dz * hit.distance);
  if (hit.nx * dx + hit.ny * dy + hit.nz * dz > 0) {
    hit.nx = -hit.nx;
    hit.ny = -hit.ny;
    hit.nz = -hit.nz;
  }
  return true;
}

function setNormal(hit: Hit, one: Shape, wx: number, wy: number, wz: number): void {
  const { sin, cos } = one;
  const [px, pz] = [wx - one.x, wz - one.z];
  let x = (px * cos - pz * sin) / one.sx;
  let y = (wy - one.y) / one.sy;
  let z = (px * sin + pz * cos) / one.sz;
  if (one.kind === 'box') {
    const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
    x = ax >= ay && ax >= az ? Math.sign(x) : 0;
    y = x === 0 && ay >= az ? Math.sign(y) : 0;
    z = x === 0 && y === 0 ? Math.sign(z) : 0;
  } else if (one.kind === 'drum') {
    const onLid = Math.abs(y) > 0.9999;
    y = onLid ? Math.sign(y) : 0;
    if (onLid) {
      x = 0;
      z = 0;
    }
  }
  x /= one.sx;
  y /= one.sy;
  z /= one.sz;
  const length = Math.hypot(x, y, z);
  hit.nx = (x * cos + z * sin) / length;
  hit.ny = y / length;
  hit.nz = (z * cos - x * sin) / length;
}

/** Whether anything that does not glow lies on a ray within a distance. */
export function isBlocked(groups: readonly Group[], ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, distance: number): boolean {
  for (const some of groups) {
    if (misses(some, ox, oy, oz, dx, dy, dz)) continue;
    for (const one of some.shapes) if (one.material.glow === 0 && meetShape(one, ox, oy, oz, dx, dy, dz) < distance) return true;
  }
  return false;
}
