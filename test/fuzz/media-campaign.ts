import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineExitError, type EngineProcess, type MediaProbeResult, startEngineProcess } from '../../src/engine/index.js';
import { AppError } from '../../src/errors/index.js';
import { mutate } from './mutations.js';

export interface Campaign {
  count: number;
  seed: number;
  /** Folder for files that broke the engine. */
  keep: string;
  /** Number of concurrent engine processes. */
  parallel?: number;
  onProgress?: (tally: Tally) => void;
}

export interface Tally {
  files: number;
  /** Files rejected by the probe, files rejected later, and files decoded to the end. */
  refused: number;
  failed: number;
  rendered: number;
  /** Files that ended the engine process, with the cause: crash, hang, memory or CPU time. */
  lost: string[];
  /** Errors that no file may cause. */
  unexpected: string[];
  slowestMs: number;
  /** Peak resident memory of an engine process in bytes. */
  peakBytes: number;
}

/** Timeout for one of these small files, with reserve for a busy machine. */
const longestMs = 20_000;
const filesPerProcess = 400;
const maxPixels = 4_000_000;

/** Runs mutated media through engine processes as renders do: probe, first and last frames, audio. */
export async function runCampaign(seeds: readonly string[], campaign: Campaign): Promise<Tally> {
  const tally: Tally = { files: 0, refused: 0, failed: 0, rendered: 0, lost: [], unexpected: [], slowestMs: 0, peakBytes: 0 };
  const originals = seeds.map((path) => readFileSync(path));
  let next = 0;
  const take = (): number | undefined => (next < campaign.count ? next++ : undefined);
  const workers = Array.from({ length: campaign.parallel ?? 1 }, () => new Worker(campaign, originals, tally).run(take));
  await Promise.all(workers);
  return tally;
}

class Worker {
  readonly #campaign: Campaign;
  readonly #originals: readonly Buffer[];
  readonly #tally: Tally;
  #folder = '';
  #engine: EngineProcess | undefined;
  #filesOfEngine = 0;

  constructor(campaign: Campaign, originals: readonly Buffer[], tally: Tally) {
    this.#campaign = campaign;
    this.#originals = originals;
    this.#tally = tally;
  }

  async run(take: () => number | undefined): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'framewright-fuzz-'));
    for (let index = take(); index !== undefined; index = take()) {
      const number = this.#campaign.seed * 1_000_003 + index;
      const { bytes } = mutate(this.#originals, number);
      await this.#runFile(bytes, number);
      this.#tally.files += 1;
      if (this.#tally.files % 100 === 0) this.#campaign.onProgress?.(this.#tally);
    }
    await this.#engine?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #runFile(bytes: Buffer, number: number): Promise<void> {
    const path = join(this.#folder, 'media');
    writeFileSync(path, bytes);
    const startedAt = performance.now();
    const engine = await this.#running();
    let probed = false;
    try {
      const metadata = await engine.probe(path);
      probed = true;
      await this.#use(engine, path, metadata);
      this.#tally.rendered += 1;
    } catch (error) {
      this.#count(error, probed, bytes, number);
    }
    const ms = performance.now() - startedAt;
    this.#tally.slowestMs = Math.max(this.#tally.slowestMs, ms);
    if (ms > longestMs) this.#keep('slow', bytes, number);
    if (engine.exitError === undefined) this.#tally.peakBytes = Math.max(this.#tally.peakBytes, peakOf(engine.pid));
  }

  #count(error: unknown, probed: boolean, bytes: Buffer, number: number): void {
    if (error instanceof EngineExitError) {
      this.#tally.lost.push(`${this.#keep(error.reason, bytes, number)}: ${error.detail ?? ''}`);
      this.#engine = undefined;
    } else if (!(error instanceof AppError) || error.code !== 'RENDER_FAILED') {
      const detail = error instanceof AppError ? error.detail : String(error);
      this.#tally.unexpected.push(`${this.#keep('unexpected', bytes, number)}: ${detail ?? ''}`);
    } else if (probed) this.#tally.failed += 1;
    else this.#tally.refused += 1;
  }

  async #use(engine: EngineProcess, path: string, { kind, width, height, durationSeconds, hasAudio, plays }: MediaProbeResult): Promise<void> {
    if (kind !== 'audio' && width * height <= maxPixels) {
      const moves = plays !== undefined || kind === 'video';
      for (const at of moves ? [0, Math.max(0, durationSeconds - 0.1)] : [0]) {
        await engine.composeFrame(playing(plays === undefined ? kind : 'animation', path, at), 0);
      }
    }
    if (hasAudio && kind !== 'image') {
      for (const at of [0, Math.max(0, durationSeconds - 0.2)]) {
        await engine.renderAudio(playing('audio', path, at), join(this.#folder, 'sound.nut'));
      }
    }
  }

  async #running(): Promise<EngineProcess> {
    this.#filesOfEngine += 1;
    if (this.#engine !== undefined && this.#filesOfEngine < filesPerProcess) return this.#engine;
    await this.#engine?.close();
    this.#filesOfEngine = 0;
    this.#engine = startEngineProcess({
      mode: 'auto',
      folder: this.#folder,
      readable: [],
      limits: { memoryMb: 2048, cpuSeconds: 3600, fileMb: 1024 },
      environment: { LANG: 'C.UTF-8' },
    });
    return this.#engine;
  }

  #keep(why: string, bytes: Buffer, number: number): string {
    mkdirSync(this.#campaign.keep, { recursive: true });
    const path = join(this.#campaign.keep, `${why}-${number}`);
    writeFileSync(path, bytes);
    return path;
  }
}

/** A timeline of two frames of the medium from this time on, as video or audio. */
function playing(kind: MediaProbeResult['kind'] | 'animation', path: string, inSeconds: number): Buffer {
  const media = kind === 'image' ? {} : { media: { in: inSeconds } };
  const timeline = {
    version: 1,
    canvas: { width: 64, height: 48, fps: { num: 10, den: 1 }, frames: 2 },
    sources: [{ kind, path, label: 'scenes.0.elements.0' }],
    under: [],
    sections: [
      {
        label: 'scene_1',
        start: 0,
        frames: 2,
        background: '#000000ff',
        clips: kind === 'audio' ? [] : [{ source: 0, start: 0, frames: 2, box: { x: 0, y: 0, width: 64, height: 48 }, ...media }],
      },
    ],
    over: [],
    audio: kind === 'audio' ? [{ source: 0, start: 0, frames: 2, gain: 1, ...media }] : [],
    encode: { encoder: 'libx264', preset: 'ultrafast', crf: 20, keyframeSeconds: 5, audioBitrate: 64_000 },
  };
  return Buffer.from(JSON.stringify(timeline));
}

function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
