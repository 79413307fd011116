/** Values of an element at moments of its time, as scripts have them. */
export interface Keyframe {
  /** Seconds from the element's start, or a percentage of its length. */
  time: number | `${number}%`;
  easing?: string;
  x?: number;
  y?: number;
  scale?: number;
  rotation?: number;
  rotate_x?: number;
  rotate_y?: number;
  opacity?: number;
  volume?: number;
}

/** Collects keyframes from several sources and merges them to one per time, in order. */
export class KeyframeBuilder {
  readonly #list: Keyframe[] = [];
  readonly #length: number | undefined;

  /** `length`: of the element in seconds, where it is known. */
  constructor(length: number | undefined) {
    this.#length = length;
  }

  add(...keyframes: Keyframe[]): void {
    this.#list.push(...keyframes);
  }

  /** Adds a change of values at the start of the element. */
  enter(seconds: number, from: Omit<Keyframe, 'time'>, to: Omit<Keyframe, 'time'>): void {
    this.add({ time: 0, ...from }, { time: this.#within(seconds), ...to });
  }

  /** Adds a change of values at the end of the element; in its last fifth when the length is unknown. */
  leave(seconds: number, from: Omit<Keyframe, 'time'>, to: Omit<Keyframe, 'time'>): void {
    const length = this.#length;
    const begin: Keyframe['time'] = length === undefined ? '80%' : Math.max(0, length - seconds);
    this.add({ time: begin, ...from }, { time: length ?? '100%', ...to });
  }

  /** Whether the element's length is known. */
  get hasLength(): boolean {
    return this.#length !== undefined;
  }

  /** For an element: nothing, or its keyframes. */
  toProperties(): { keyframes?: Keyframe[] } {
    const moments = new Map<string, Keyframe>();
    for (const keyframe of this.#list) {
      const time = rounded(keyframe.time);
      const key = String(time);
      moments.set(key, { ...moments.get(key), ...keyframe, time });
    }
    const keyframes = [...moments.values()].sort((left, right) => this.#order(left.time) - this.#order(right.time));
    return keyframes.length === 0 ? {} : { keyframes };
  }

  #within(seconds: number): number {
    return this.#length === undefined ? seconds : Math.min(seconds, this.#length);
  }

  #order(time: Keyframe['time']): number {
    if (typeof time === 'number') return time;
    const part = Number.parseFloat(time) / 100;
    // With an unknown length, percentages sort after seconds, which belong to the start.
    return this.#length === undefined ? 1e6 + part : part * this.#length;
  }
}

function rounded(time: Keyframe['time']): Keyframe['time'] {
  return typeof time === 'number' ? Math.round(time * 1000) / 1000 : time;
}

/** Families of our easings and their names in dashed easings. */
const curves = {
  ...{ Quad: 'quadratic', Cubic: 'cubic', Quart: 'quartic', Quint: 'quintic', Sine: 'sinusoid', Expo: 'exponential', Circ: 'circular' },
  ...{ Back: 'back', Elastic: 'elastic', Bounce: 'bounce' },
};

/** Easing names of other formats and ours. */
export const easings: Readonly<Record<string, string>> = {
  linear: 'linear',
  ease: 'easeInOutSine',
  'ease-in': 'easeInQuad',
  'ease-out': 'easeOutQuad',
  'ease-in-out': 'easeInOutQuad',
  easeIn: 'easeInQuad',
  easeOut: 'easeOutQuad',
  easeInOut: 'easeInOutQuad',
  steps: 'hold',
  ...Object.fromEntries(
    Object.entries(curves).flatMap(([curve, word]) =>
      Object.entries({ In: 'in', Out: 'out', InOut: 'in-out' }).flatMap(([direction, dashed]) => {
        const own = `ease${direction}${curve}`;
        return [
          [own, own],
          [`${word}-${dashed}`, own],
        ];
      }),
    ),
  ),
};
