import type { Composition, InteropBackend, SegmentResult } from '../engine/index.js';

/** Stages of a render. `decode`, `compose`, `encode` and `sound` run in parallel; the others run in sequence. */
const profileStages = ['start', 'plan', 'fetch', 'draw', 'decode', 'compose', 'encode', 'sound', 'stitch', 'outputs'] as const;
export type ProfileStage = (typeof profileStages)[number];

/** Seconds spent on one scene: waiting for decoded media, composing, and encoding. */
export interface SceneTiming {
  label: string;
  frames: number;
  /** Composed frames; the others repeat their predecessor. */
  drawn: number;
  /** Frames copied as coded packets from a source video. */
  copied: number;
  /** Frames encoded as footage, with the encoder's own lookahead. */
  footage: number;
  decode: number;
  compose: number;
  encode: number;
}

/** Thread seconds spent on one element over all scenes: decoding or preparing its images, and composing them. */
export interface ElementTiming {
  /** Path of the element in the script; empty for layers without images: colours, waveforms, transitions. */
  label: string;
  decode: number;
  compose: number;
}

/** How frames that a graphics card composed reached the encoder. */
export interface FrameTransfer {
  backend: InteropBackend | 'host';
  /** Why they went through main memory, or better paths were not used. */
  reason?: string;
  segments: number;
  /** Frames that were copied on the card for the encoder. */
  deviceCopies: number;
}

/** What decoded the clips of a movie, on a host with hardware decoding. */
export interface ClipDecoding {
  backend: SegmentResult['videos'][number]['backend'];
  /** Why hardware did not. */
  reason?: string;
  clips: number;
}

/** How frames that a card decoded reached the compositor. */
export interface DecodedFrames {
  backend: 'cuda' | 'vaapi' | 'host';
  /** Why some or all of them passed through main memory. */
  reason?: string;
  clips: number;
  /** Copies of frames to main memory, and on the card. */
  hostCopies: number;
  deviceCopies: number;
}

/** A video that is shown unchanged, and why its frames are encoded instead of copied, as a predicate. */
export type UncopiedVideo = SegmentResult['uncopied'][number];

/** Collects the timings of one render. */
export class RenderProfile {
  readonly #seconds = new Map<ProfileStage, number>();
  readonly #scenes: SceneTiming[] = [];
  readonly #elements = new Map<string, ElementTiming>();
  readonly #transfers: FrameTransfer[] = [];
  readonly #decodings: ClipDecoding[] = [];
  readonly #decodedFrames: DecodedFrames[] = [];
  readonly #uncopied: UncopiedVideo[] = [];
  readonly #compositions: Composition[] = [];
  #reused = 0;
  #maxParallelEncoders = 0;

  add(stage: ProfileStage, seconds: number): void {
    this.#seconds.set(stage, (this.#seconds.get(stage) ?? 0) + seconds);
  }

  /** Adds `seconds` minus the time of the `within` stages, which ran during it. */
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

  addScene(label: string, result: SegmentResult): void {
    const { decodeSeconds: decode, composeSeconds: compose, encodeSeconds: encode } = result;
    this.#addTimes({
      label,
      frames: result.frames,
      drawn: result.composedFrames,
      copied: result.copiedFrames,
      footage: result.footageFrames,
      decode,
      compose,
      encode,
    });
    for (const { label: element, decodeSeconds, composeSeconds } of result.elements) {
      const { decode: decoded, compose: composed } = this.#elements.get(element) ?? { decode: 0, compose: 0 };
      this.#elements.set(element, { label: element, decode: decoded + decodeSeconds, compose: composed + composeSeconds });
    }
    this.#maxParallelEncoders = Math.max(this.#maxParallelEncoders, result.maxParallelEncoders);
    this.#addTransfer(result);
    this.#addVideos(result.videos);
    for (const video of result.uncopied) {
      if (!this.#uncopied.some(({ label, reason }) => label === video.label && reason === video.reason)) this.#uncopied.push(video);
    }
    this.add('decode', decode);
    this.add('compose', compose);
    this.add('encode', encode);
  }

  /** Adds up the segments of a long scene. */
  #addTimes(times: SceneTiming): void {
    const known = this.#scenes.find(({ label }) => label === times.label);
    if (known === undefined) this.#scenes.push(times);
    else for (const name of ['frames', 'drawn', 'copied', 'footage', 'decode', 'compose', 'encode'] as const) known[name] += times[name];
  }

  #addTransfer({ interop, interopReason: reason, interopCopies = 0 }: SegmentResult): void {
    if (interop === undefined && reason === undefined) return;
    const backend = interop ?? 'host';
    const entry = entryOf(this.#transfers, backend, reason, () => ({ backend, ...(reason !== undefined && { reason }), segments: 0, deviceCopies: 0 }));
    entry.segments += 1;
    entry.deviceCopies += interopCopies;
  }

  #addDecodedFrames({ interop, interopReason: reason, hostCopies = 0, deviceCopies = 0, ...video }: SegmentResult['videos'][number]): void {
    if (video.backend === 'software' && hostCopies + deviceCopies === 0) return;
    const backend = interop ?? 'host';
    const entry = entryOf(this.#decodedFrames, backend, reason, () => ({
      backend,
      ...(reason !== undefined && { reason }),
      clips: 0,
      hostCopies: 0,
      deviceCopies: 0,
    }));
    entry.clips += 1;
    entry.hostCopies += hostCopies;
    entry.deviceCopies += deviceCopies;
  }

  addComposition(composition: Composition): void {
    this.#compositions.push(composition);
    this.#addVideos(composition.videos);
  }

  #addVideos(videos: SegmentResult['videos']): void {
    for (const video of videos) {
      const { backend, reason } = video;
      entryOf(this.#decodings, backend, reason, () => ({ backend, ...(reason !== undefined && { reason }), clips: 0 })).clips += 1;
      this.#addDecodedFrames(video);
    }
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

  /** Maximum number of segments that were encoded in parallel. */
  get maxParallelEncoders(): number {
    return this.#maxParallelEncoders;
  }

  /** How the frames of a graphics card reached a hardware encoder; empty without both. */
  get transfers(): readonly FrameTransfer[] {
    return this.#transfers;
  }

  /** How the outputs were composed that are not encoded in segments. */
  get compositions(): readonly Composition[] {
    return this.#compositions;
  }

  /** What decoded the clips; empty on hosts without hardware decoding. */
  get decodings(): readonly ClipDecoding[] {
    return this.#decodings;
  }

  /** How the frames of clips that a card decoded reached the compositor; empty without such clips. */
  get decodedFrames(): readonly DecodedFrames[] {
    return this.#decodedFrames;
  }

  /** Videos whose frames could have been copied, once for each reason. */
  get uncopied(): readonly UncopiedVideo[] {
    return this.#uncopied;
  }

  /** Number of segments that came from the cache. */
  get reused(): number {
    return this.#reused;
  }
}

/** The entry of a backend and reason, which is made at first use. */
function entryOf<T extends { backend: string; reason?: string }>(entries: T[], backend: string, reason: string | undefined, create: () => T): T {
  const known = entries.find((entry) => entry.backend === backend && entry.reason === reason);
  if (known !== undefined) return known;
  const made = create();
  entries.push(made);
  return made;
}

/** Runs `work` and adds its duration to the profile, if there is one. */
export function timed<T>(profile: RenderProfile | undefined, stage: ProfileStage, work: () => Promise<T>): Promise<T> {
  return profile === undefined ? work() : profile.time(stage, work);
}
