import type { SegmentResult } from '../engine/index.js';

/** `encode`, `compose` and `decode` go on side by side, and so does `sound`; the others follow one another. */
export const profileStages = ['start', 'plan', 'fetch', 'draw', 'decode', 'compose', 'encode', 'sound', 'stitch'] as const;
export type ProfileStage = (typeof profileStages)[number];

/** Seconds of one scene: waiting for decoded media, drawing, and in the encoder. */
export interface SceneTiming {
  label: string;
  frames: number;
  /** Frames really drawn; the others repeat the one before. */
  drawn: number;
  /** Frames taken as they are coded in a film's file. */
  copied: number;
  decode: number;
  compose: number;
  encode: number;
}

/** Seconds of one element over all scenes: decoding or preparing its pictures, on threads of their own, and drawing them. */
export interface ElementTiming {
  /** Its path in the script; empty for what has no pictures: colours, waveforms, transitions. */
  label: string;
  decode: number;
  compose: number;
}

/** Where the time of one render goes. Without one nothing is measured. */
export class RenderProfile {
  readonly #seconds = new Map<ProfileStage, number>();
  readonly #scenes: SceneTiming[] = [];
  readonly #elements = new Map<string, ElementTiming>();
  #reused = 0;
  #maxParallelEncoders = 0;

  add(stage: ProfileStage, seconds: number): void {
    this.#seconds.set(stage, (this.#seconds.get(stage) ?? 0) + seconds);
  }

  /** What is left of `seconds` when these stages within it are taken off. */
  addRest(stage: ProfileStage, seconds: number, within: readonly ProfileStage[]): void {
    this.add(
      stage,
      Math.max(
        0,
        within.reduce((rest, one) => rest - (this.#seconds.get(one) ?? 0), seconds),
      ),
    );
  }

  async time<T>(stage: ProfileStage, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await work();
    } finally {
      this.add(stage, (performance.now() - began) / 1000);
    }
  }

  addScene(label: string, facts: SegmentResult): void {
    const { decodeSeconds: decode, composeSeconds: compose, encodeSeconds: encode } = facts;
    this.#addTimes({ label, frames: facts.frames, drawn: facts.composedFrames, copied: facts.copiedFrames, decode, compose, encode });
    for (const { label: element, decodeSeconds, composeSeconds } of facts.elements) {
      const { decode: decoded, compose: composed } = this.#elements.get(element) ?? { decode: 0, compose: 0 };
      this.#elements.set(element, { label: element, decode: decoded + decodeSeconds, compose: composed + composeSeconds });
    }
    this.#maxParallelEncoders = Math.max(this.#maxParallelEncoders, facts.maxParallelEncoders);
    this.add('decode', decode);
    this.add('compose', compose);
    this.add('encode', encode);
  }

  /** A long scene comes in several parts. */
  #addTimes(times: SceneTiming): void {
    const known = this.#scenes.find(({ label }) => label === times.label);
    if (known === undefined) this.#scenes.push(times);
    else for (const name of ['frames', 'drawn', 'copied', 'decode', 'compose', 'encode'] as const) known[name] += times[name];
  }

  addReused(): void {
    this.#reused += 1;
  }

  /** Seconds by stage, in the order of a render; stages that did not occur are 0. */
  get stages(): Array<{ stage: ProfileStage; seconds: number }> {
    return profileStages.map((stage) => ({ stage, seconds: this.#seconds.get(stage) ?? 0 }));
  }

  /** Scenes that were rendered, in their order. */
  get scenes(): readonly SceneTiming[] {
    return this.#scenes;
  }

  /** Elements that were rendered, the slowest first. */
  get elements(): ElementTiming[] {
    return [...this.#elements.values()].sort((a, b) => b.decode + b.compose - (a.decode + a.compose));
  }

  /** How many scenes, or parts of long ones, were encoded side by side at most. */
  get maxParallelEncoders(): number {
    return this.#maxParallelEncoders;
  }

  /** How many scenes, or parts of long ones, an earlier render had encoded. */
  get reused(): number {
    return this.#reused;
  }
}

/** Does the work, and takes its time where there is a profile. */
export function timed<T>(profile: RenderProfile | undefined, stage: ProfileStage, work: () => Promise<T>): Promise<T> {
  return profile === undefined ? work() : profile.time(stage, work);
}
