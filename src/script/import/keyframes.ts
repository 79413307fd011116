/** Values of an element at moments of its time, as scripts have them. */
export interface Keyframe {
  /** Seconds from the element's start, or a percentage of its length. */
  time: number | `${number}%`;
  easing?: string;
  x?: number;
  y?: number;
  scale?: number;
  rotation?: number;
  opacity?: number;
  volume?: number;
}

/** Gathers keyframes from several causes. Scripts want one for each moment, in order. */
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

  /** A way from one value to another at the beginning, or to its end. */
  enter(seconds: number, from: Omit<Keyframe, 'time'>, to: Omit<Keyframe, 'time'>): void {
    this.add({ time: 0, ...from }, { time: this.#within(seconds), ...to });
  }

  leave(seconds: number, from: Omit<Keyframe, 'time'>, to: Omit<Keyframe, 'time'>): void {
    const length = this.#length;
    const begin: Keyframe['time'] = length === undefined ? '80%' : Math.max(0, length - seconds);
    this.add({ time: begin, ...from }, { time: length ?? '100%', ...to });
  }

  /** Whether the end of the element is where it says. */
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
    // Of an unknown length: percentages stand behind seconds, which are those of a beginning.
    return this.#length === undefined ? 1e6 + part : part * this.#length;
  }
}

function rounded(time: Keyframe['time']): Keyframe['time'] {
  return typeof time === 'number' ? Math.round(time * 1000) / 1000 : time;
}

/** Names of curves elsewhere → ours. */
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
    Object.entries({ Quad: 'quadratic', Cubic: 'cubic', Sine: 'sinusoid', Expo: 'exponential', Circ: 'circular', Back: 'back', Elastic: 'elastic' }).flatMap(
      ([curve, word]) =>
        Object.entries({ In: 'in', Out: 'out', InOut: 'in-out' }).flatMap(([way, dashed]) => {
          const own = `ease${way}${curve}`;
          return [
            [own, own],
            [`${word}-${dashed}`, own],
          ];
        }),
    ),
  ),
  // The nearest that there is.
  ...Object.fromEntries(
    ['Quart', 'Quint'].flatMap((curve) =>
      Object.entries({ In: 'in', Out: 'out', InOut: 'in-out' }).flatMap(([way, dashed]) => [
        [`ease${way}${curve}`, `ease${way}Cubic`],
        [`${curve.toLowerCase()}ic-${dashed}`, `ease${way}Cubic`],
      ]),
    ),
  ),
};
