import { createRandom } from '../noise.js';
import { type Group, group, type Hit, isBlocked, meet, type Shape, type Triple } from './shapes.js';

/** Shapes and lights of a scene; lengths in metres, y is up. */
export interface Scene {
  shapes: readonly Shape[];
  eye: Triple;
  target: Triple;
  /** Vertical angle of view in degrees. */
  fov: number;
  /** Radiance of the sky in a direction. */
  sky: (x: number, y: number, z: number) => Triple;
  sun?: { direction: Triple; color: Triple /** Tangent of its radius. */; size: number };
  exposure: number;
}

/** Radiance of a hit or of a light; written into to save allocations. */
export type Light = [number, number, number];

/** Traces light through a scene with its own sequence of random numbers. */
export class Tracer {
  readonly scene: Scene;
  readonly random: () => number;
  readonly groups: readonly Group[];
  readonly #lamps: readonly Shape[];
  readonly #hit: Hit = { distance: 0, shape: undefined, nx: 0, ny: 0, nz: 0 };

  constructor(scene: Scene, seed: number) {
    this.scene = scene;
    this.random = createRandom(seed);
    this.groups = group(scene.shapes);
    this.#lamps = scene.shapes.filter(({ material }) => material.glow > 0);
  }

  /** Adds the sun's irradiance, times a factor, to `sum`. */
  addSun(sum: Light, factor: Triple, x: number, y: number, z: number, nx: number, ny: number, nz: number): void {
    const { sun } = this.scene;
    if (sun === undefined) return;
    let dx = sun.direction[0] + (this.random() - 0.5) * sun.size * 2;
    let dy = sun.direction[1] + (this.random() - 0.5) * sun.size * 2;
    let dz = sun.direction[2] + (this.random() - 0.5) * sun.size * 2;
    const length = Math.hypot(dx, dy, dz);
    dx /= length;
    dy /= length;
    dz /= length;
    const cosine = nx * dx + ny * dy + nz * dz;
    if (cosine <= 0 || isBlocked(this.groups, x, y, z, dx, dy, dz, 1e8)) return;
    for (let c = 0; c < 3; c++) sum[c] = (sum[c] ?? 0) + cosine * (sun.color[c] ?? 0) * (factor[c] ?? 0);
  }

  /** Adds the irradiance of one lamp, chosen at random, times a factor, to `sum`. */
  #addLamp(sum: Light, factor: Triple, x: number, y: number, z: number, nx: number, ny: number, nz: number): void {
    const lamp = this.#lamps[Math.floor(this.random() * this.#lamps.length)];
    if (lamp === undefined) return;
    const [u, v, w] = this.#direction(0, 0, 0);
    const round = lamp.kind === 'ball' ? 1 : 0;
    const px = lamp.x + (round === 1 ? u : this.random() * 2 - 1) * lamp.sx;
    const py = lamp.y + (round === 1 ? v : this.random() * 2 - 1) * lamp.sy;
    const pz = lamp.z + (round === 1 ? w : this.random() * 2 - 1) * lamp.sz;
    const [dx, dy, dz] = [px - x, py - y, pz - z];
    const distance = Math.hypot(dx, dy, dz);
    const cosine = (nx * dx + ny * dy + nz * dz) / distance;
    if (cosine <= 0 || isBlocked(this.groups, x, y, z, dx / distance, dy / distance, dz / distance, distance)) return;
    // The area that a lamp turns towards a point, about the same from all sides.
    const area = 4 * (lamp.sx * lamp.sy + lamp.sy * lamp.sz + lamp.sx * lamp.sz) * (round === 1 ? 0.262 * 3 : 0.5);
    const color = colorOf(lamp, px, py, pz);
    const strength = (this.#lamps.length * cosine * area * lamp.material.glow) / (Math.PI * Math.max(distance * distance, 0.02));
    for (let c = 0; c < 3; c++) sum[c] = (sum[c] ?? 0) + strength * (color[c] ?? 0) * (factor[c] ?? 0);
  }

  /** A random direction, weighted by the cosine to a normal; of a zero normal, any direction. */
  #direction(nx: number, ny: number, nz: number): Light {
    const z = 1 - 2 * this.random();
    const radius = Math.sqrt(Math.max(0, 1 - z * z));
    const angle = 2 * Math.PI * this.random();
    const [x, y, w] = [nx + radius * Math.cos(angle), ny + radius * Math.sin(angle), nz + z];
    const length = Math.hypot(x, y, w) || 1;
    return [x / length, y / length, w / length];
  }

  /** Estimates the irradiance (divided by pi) of a point from sky, lamps and other surfaces, without the sun itself. */
  gather(sum: Light, x: number, y: number, z: number, nx: number, ny: number, nz: number): void {
    const factor: Light = [1, 1, 1];
    for (let depth = 0; depth < 3; depth++) {
      this.#addLamp(sum, factor, x, y, z, nx, ny, nz);
      const [dx, dy, dz] = this.#direction(nx, ny, nz);
      const hit = this.#hit;
      if (!meet(this.groups, hit, x, y, z, dx, dy, dz) || hit.shape === undefined) {
        const sky = this.scene.sky(dx, dy, dz);
        for (let c = 0; c < 3; c++) sum[c] = (sum[c] ?? 0) + (sky[c] ?? 0) * (factor[c] ?? 0);
        return;
      }
      if (hit.shape.material.glow > 0) return;
      nx = hit.nx;
      ny = hit.ny;
      nz = hit.nz;
      x += dx * hit.distance + nx * 1e-3;
      y += dy * hit.distance + ny * 1e-3;
      z += dz * hit.distance + nz * 1e-3;
      const color = colorOf(hit.shape, x, y, z);
      for (let c = 0; c < 3; c++) factor[c] = (factor[c] ?? 0) * (color[c] ?? 0);
      this.addSun(sum, factor, x, y, z, nx, ny, nz);
    }
  }

  /** Radiance seen along a reflected ray, with `ambient` for the light between surfaces. */
  reflect(sum: Light, factor: number, ambient: Triple, from: Triple, direction: Triple, roughness: number): void {
    const hit = this.#hit;
    const jitter = (value: number): number => value + (this.random() + this.random() - 1) * roughness;
    let [dx, dy, dz] = [jitter(direction[0]), jitter(direction[1]), jitter(direction[2])];
    const length = Math.hypot(dx, dy, dz);
    dx /= length;
    dy /= length;
    dz /= length;
    if (!meet(this.groups, hit, from[0], from[1], from[2], dx, dy, dz) || hit.shape === undefined) {
      const sky = this.scene.sky(dx, dy, dz);
      for (let c = 0; c < 3; c++) sum[c] = (sum[c] ?? 0) + factor * (sky[c] ?? 0);
      return;
    }
    const { nx, ny, nz, shape } = hit;
    const x = from[0] + dx * hit.distance + nx * 1e-3;
    const y = from[1] + dy * hit.distance + ny * 1e-3;
    const z = from[2] + dz * hit.distance + nz * 1e-3;
    const color = colorOf(shape, x, y, z);
    if (shape.material.glow > 0) {
      for (let c = 0; c < 3; c++) sum[c] = (sum[c] ?? 0) + factor * shape.material.glow * (color[c] ?? 0);
      return;
    }
    const shade = 0.7 + 0.3 * ny;
    for (let c = 0; c < 3; c++) sum[c] = (sum[c] ?? 0) + factor * (color[c] ?? 0) * (ambient[c] ?? 0) * shade;
    this.addSun(sum, [color[0] * factor, color[1] * factor, color[2] * factor], x, y, z, nx, ny, nz);
  }
}

/** Colour of a shape at a point in metres. */
export function colorOf(one: Shape, x: number, y: number, z: number): Triple {
  const { color } = one.material;
  return typeof color === 'function' ? color(x, y, z) : color;
}
