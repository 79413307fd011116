import type { Cube } from './cube-file.js';

/** Maps an R'G'B' colour in place. Inputs outside the domain are clamped. */
export type MapColor = (color: Float64Array) => void;

/** The function of a lookup table: linear between the values of a 1D table, tetrahedral between the vertices of a 3D table. */
export function sampleCube(cube: Cube): MapColor {
  return cube.dimensions === 1 ? sampleLine(cube) : sampleLattice(cube);
}

function positionOf({ domain, size }: Cube, value: number, channel: number): number {
  const [min, max] = [domain.min[channel] as number, domain.max[channel] as number];
  return Math.min(Math.max((value - min) / (max - min), 0), 1) * (size - 1);
}

function sampleLine(cube: Cube): MapColor {
  const { size, values } = cube;
  return (color) => {
    for (let channel = 0; channel < 3; channel += 1) {
      const at = positionOf(cube, color[channel] as number, channel);
      const cell = Math.min(Math.floor(at), size - 2);
      const [low, high] = [values[3 * cell + channel] as number, values[3 * cell + 3 + channel] as number];
      color[channel] = low + (high - low) * (at - cell);
    }
  };
}

function sampleLattice(cube: Cube): MapColor {
  const { size, values } = cube;
  const steps = [3, 3 * size, 3 * size * size];
  const order = [0, 1, 2];
  const share = new Float64Array(3);
  return (color) => {
    let vertex = 0;
    for (let channel = 0; channel < 3; channel += 1) {
      const at = positionOf(cube, color[channel] as number, channel);
      const cell = Math.min(Math.floor(at), size - 2);
      share[channel] = at - cell;
      vertex += cell * (steps[channel] as number);
    }
    order.sort((a, b) => (share[b] as number) - (share[a] as number));
    color.set(values.subarray(vertex, vertex + 3));
    // From the first vertex of the cell to the last one, along the channel with the largest share first.
    for (const channel of order) {
      const next = vertex + (steps[channel] as number);
      for (let c = 0; c < 3; c += 1)
        color[c] = (color[c] as number) + (share[channel] as number) * ((values[next + c] as number) - (values[vertex + c] as number));
      vertex = next;
    }
  };
}
