import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { colorOf, type Light, type Scene, Tracer } from './light.js';
import { type Hit, meet, type Shape, type Triple } from './shapes.js';

/** Pixels of a side of the image, which is square and so serves wide and tall videos. */
const size = 1440;
/** Pixels of a side of the map of soft light. */
const coarse = 240;
const gatherings = 16;
/** Quarters of a pixel in the order in which they are sampled: the second half only where the first two differ. */
const quarters = [0, 3, 1, 2];

/** Soft light on what the camera sees, at a low resolution. */
interface LightMap {
  shapes: Array<Shape | undefined>;
  /** Place, normal and light of each cell. */
  place: Float32Array;
  normal: Float32Array;
  light: Float32Array;
}

interface Ray {
  origin: Triple;
  direction: (u: number, v: number) => Triple;
}

function camera({ eye, target, fov }: Scene): Ray {
  const unit = ([x, y, z]: Triple): Triple => {
    const length = Math.hypot(x, y, z);
    return [x / length, y / length, z / length];
  };
  const cross = (a: Triple, b: Triple): Triple => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const ahead = unit([target[0] - eye[0], target[1] - eye[1], target[2] - eye[2]]);
  const right = unit(cross(ahead, [0, 1, 0]));
  const up = cross(right, ahead);
  const reach = Math.tan((fov * Math.PI) / 360);
  const part = (u: number, v: number, axis: 0 | 1 | 2): number => ahead[axis] + reach * ((2 * u - 1) * right[axis] + (1 - 2 * v) * up[axis]);
  return { origin: eye, direction: (u, v) => unit([part(u, v, 0), part(u, v, 1), part(u, v, 2)]) };
}

function gatherLight(tracer: Tracer, { origin, direction }: Ray): LightMap {
  const cells = coarse * coarse;
  const map: LightMap = {
    shapes: new Array(cells),
    place: new Float32Array(cells * 3),
    normal: new Float32Array(cells * 3),
    light: new Float32Array(cells * 3),
  };
  const hit: Hit = { distance: 0, shape: undefined, nx: 0, ny: 0, nz: 0 };
  for (let cell = 0; cell < cells; cell++) {
    const ray = direction(((cell % coarse) + 0.5) / coarse, (Math.floor(cell / coarse) + 0.5) / coarse);
    if (!meet(tracer.groups, hit, ...origin, ...ray)) continue;
    map.shapes[cell] = hit.shape;
    const { nx, ny, nz, distance } = hit;
    const [x, y, z] = [origin[0] + ray[0] * distance + nx * 1e-3, origin[1] + ray[1] * distance + ny * 1e-3, origin[2] + ray[2] * distance + nz * 1e-3];
    map.place.set([x, y, z], cell * 3);
    map.normal.set([nx, ny, nz], cell * 3);
    const total: Light = [0, 0, 0];
    for (let n = 0; n < gatherings; n++) {
      const one: Light = [0, 0, 0];
      tracer.gather(one, x, y, z, nx, ny, nz);
      // Single bright paths would show as specks.
      const peak = Math.max(1, Math.max(...one) / 12);
      for (let c = 0; c < 3; c++) total[c] = (total[c] ?? 0) + (one[c] ?? 0) / peak;
    }
    map.light.set([total[0] / gatherings, total[1] / gatherings, total[2] / gatherings], cell * 3);
  }
  return map;
}

/** Smooths the light between cells of one surface, with steps that double (à trous). */
function smooth(map: LightMap): void {
  for (const step of [1, 2, 4, 1]) {
    const before = map.light.slice();
    for (let cell = 0; cell < coarse * coarse; cell++) {
      if (map.shapes[cell] === undefined) continue;
      const [col, row] = [cell % coarse, Math.floor(cell / coarse)];
      let [red, green, blue, weights] = [0, 0, 0, 0];
      for (let dy = -2; dy <= 2; dy++) {
        for (let dx = -2; dx <= 2; dx++) {
          const [x, y] = [col + dx * step, row + dy * step];
          if (x < 0 || y < 0 || x >= coarse || y >= coarse) continue;
          const other = y * coarse + x;
          const weight = likeness(map, cell, other) * (3 - Math.abs(dx)) * (3 - Math.abs(dy));
          red += weight * (before[other * 3] ?? 0);
          green += weight * (before[other * 3 + 1] ?? 0);
          blue += weight * (before[other * 3 + 2] ?? 0);
          weights += weight;
        }
      }
      map.light.set([red / weights, green / weights, blue / weights], cell * 3);
    }
  }
}

/** How much two cells belong to one smooth surface, 0..1. */
function likeness({ shapes, normal, place }: LightMap, a: number, b: number): number {
  if (shapes[b] === undefined) return 0;
  const at = (array: Float32Array, cell: number, axis: number): number => array[cell * 3 + axis] ?? 0;
  const cosine = at(normal, a, 0) * at(normal, b, 0) + at(normal, a, 1) * at(normal, b, 1) + at(normal, a, 2) * at(normal, b, 2);
  if (cosine < 0.8) return 0;
  let off = 0;
  for (let axis = 0; axis < 3; axis++) off += at(normal, a, axis) * (at(place, b, axis) - at(place, a, axis));
  const apart = Math.abs(off) < 0.04 ? 1 : 0.02;
  return cosine ** 8 * apart * (shapes[a] === shapes[b] ? 1 : 0.25);
}

/** Soft light at a point of the full image, from the cells around it that show the same surface. */
function lightAt(map: LightMap, sum: Light, u: number, v: number, hit: Hit): void {
  const [x, y] = [u * coarse - 0.5, v * coarse - 0.5];
  const [left, top] = [Math.floor(x), Math.floor(y)];
  let [red, green, blue, weights] = [0, 0, 0, 0];
  for (let row = top - 1; row <= top + 2; row++) {
    for (let col = left - 1; col <= left + 2; col++) {
      if (row < 0 || col < 0 || row >= coarse || col >= coarse) continue;
      const cell = row * coarse + col;
      if (map.shapes[cell] === undefined) continue;
      const cosine = (map.normal[cell * 3] ?? 0) * hit.nx + (map.normal[cell * 3 + 1] ?? 0) * hit.ny + (map.normal[cell * 3 + 2] ?? 0) * hit.nz;
      const near = Math.max(0.001, 2 - Math.abs(col - x)) * Math.max(0.001, 2 - Math.abs(row - y));
      const weight = near * (cosine > 0.7 ? 1 : 1e-3) * (map.shapes[cell] === hit.shape ? 1 : 1e-2);
      red += weight * (map.light[cell * 3] ?? 0);
      green += weight * (map.light[cell * 3 + 1] ?? 0);
      blue += weight * (map.light[cell * 3 + 2] ?? 0);
      weights += weight;
    }
  }
  if (weights === 0) return;
  sum[0] += red / weights;
  sum[1] += green / weights;
  sum[2] += blue / weights;
}

/** Adds the light that one ray of the camera sees. */
function shade(tracer: Tracer, map: LightMap, ambient: Triple, ray: Ray, u: number, v: number, hit: Hit, sum: Light): void {
  const direction = ray.direction(u, v);
  const add = (light: Triple, factor = 1): void => {
    for (let c = 0; c < 3; c++) sum[c] = (sum[c] ?? 0) + (light[c] ?? 0) * factor;
  };
  if (!meet(tracer.groups, hit, ...ray.origin, ...direction) || hit.shape === undefined) {
    add(tracer.scene.sky(...direction));
    return;
  }
  const { nx, ny, nz, distance, shape } = hit;
  const place: Triple = [
    ray.origin[0] + direction[0] * distance + nx * 1e-3,
    ray.origin[1] + direction[1] * distance + ny * 1e-3,
    ray.origin[2] + direction[2] * distance + nz * 1e-3,
  ];
  const color = colorOf(shape, ...place);
  const { gloss, roughness, glow } = shape.material;
  const cosine = -(nx * direction[0] + ny * direction[1] + nz * direction[2]);
  if (glow > 0) {
    add(color, glow * (0.55 + 0.45 * cosine));
    return;
  }
  const light: Light = [0, 0, 0];
  lightAt(map, light, u, v, hit);
  tracer.addSun(light, [1, 1, 1], ...place, nx, ny, nz);
  add([light[0] * color[0], light[1] * color[1], light[2] * color[2]]);
  if (gloss === 0) return;
  const mirrored: Triple = [direction[0] + 2 * cosine * nx, direction[1] + 2 * cosine * ny, direction[2] + 2 * cosine * nz];
  tracer.reflect(sum, gloss + (1 - gloss) * (1 - cosine) ** 5 * (1 - Math.min(0.7, roughness * 2)), ambient, place, mirrored, roughness);
}

/** Filmic tone curve, from linear light to sRGB bytes. */
function develop(value: number): number {
  const curve = (value * (2.51 * value + 0.03)) / (value * (2.43 * value + 0.59) + 0.14);
  return 255 * Math.min(1, Math.max(0, curve)) ** (1 / 2.2);
}

/** Whether two samples of light differ too little to be seen. */
const isAlike = (a: Light, b: Light): boolean => a.every((value, c) => Math.abs(value - (b[c] ?? 0)) <= 0.05 * value + 0.002);

/** Draws a scene as a photograph of it: soft light between surfaces, a sharp sun, reflections, a glow around lights, and grain. */
export function drawScene(scene: Scene, seed = 1): Canvas {
  const tracer = new Tracer(scene, seed);
  const ray = camera(scene);
  const map = gatherLight(tracer, ray);
  smooth(map);
  const ambient: Light = [0, 0, 0];
  for (let at = 0; at < map.light.length; at++) ambient[at % 3] = (ambient[at % 3] ?? 0) + (map.light[at] ?? 0) / (coarse * coarse);
  const canvas = createCanvas(size, size);
  const context = canvas.getContext('2d');
  const image = context.createImageData(size, size);
  const hit: Hit = { distance: 0, shape: undefined, nx: 0, ny: 0, nz: 0 };
  for (let pixel = 0; pixel < size * size; pixel++) {
    const [col, row] = [pixel % size, Math.floor(pixel / size)];
    const sum: Light = [0, 0, 0];
    const last: Light = [0, 0, 0];
    let samples = 0;
    for (const quarter of quarters) {
      const u = (col + ((quarter % 2) + tracer.random()) / 2) / size;
      const v = (row + (Math.floor(quarter / 2) + tracer.random()) / 2) / size;
      const one: Light = [0, 0, 0];
      shade(tracer, map, ambient, ray, u, v, hit, one);
      for (let c = 0; c < 3; c++) {
        one[c] = Math.min(one[c] ?? 0, 6);
        sum[c] = (sum[c] ?? 0) + (one[c] ?? 0);
      }
      if (++samples === 2 && isAlike(last, one)) break;
      last.splice(0, 3, ...one);
    }
    const vignette = 1 - 0.38 * ((col / size - 0.5) ** 2 + (row / size - 0.5) ** 2) * 2;
    const grain = (tracer.random() + tracer.random() - 1) * 4;
    for (let c = 0; c < 3; c++) image.data[pixel * 4 + c] = develop(((sum[c] ?? 0) / samples) * scene.exposure * vignette) + grain;
    image.data[pixel * 4 + 3] = 255;
  }
  context.putImageData(image, 0, 0);
  return addBloom(canvas);
}

/** Adds a soft glow around what is bright. */
function addBloom(canvas: Canvas): Canvas {
  const small = createCanvas(size / 8, size / 8);
  const from = small.getContext('2d');
  from.filter = 'contrast(2.6) brightness(0.62) blur(7px)';
  from.drawImage(canvas, 0, 0, small.width, small.height);
  const context = canvas.getContext('2d');
  context.globalCompositeOperation = 'screen';
  context.globalAlpha = 0.32;
  context.imageSmoothingQuality = 'high';
  context.drawImage(small, 0, 0, size, size);
  return canvas;
}
