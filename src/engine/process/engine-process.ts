import { randomUUID } from 'node:crypto';
import { constants, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, extname, join, sep } from 'node:path';
import { AppError } from '../../errors/index.js';
import {
  type AudioResult,
  type Beats,
  type CallOptions,
  type Capabilities,
  type ComposedFrame,
  decodeTimeline,
  type EncoderProbeResult,
  type Engine,
  type MediaProbeResult,
  type OutputsResult,
  type SegmentResult,
  type StitchResult,
  toOutputsResult,
} from '../engine.js';
import { engineIdentity } from '../engine-identity.js';
import type { NativeOutputsResult } from '../native-binding.js';
import { EngineChannel, type EngineProcessSettings } from './engine-channel.js';
import type { EngineExitError } from './engine-exit-error.js';
import type { ImageFormat } from './engine-messages.js';
import { engineProgram } from './engine-sandbox.js';
import { moveFile, publishFile } from './publish-file.js';

/** Options of EngineProcess.writeFrame. */
interface WriteFrameOptions extends CallOptions {
  type?: ImageFormat;
  /** Folder within the engine's folder with prepared stills, INDEX.still by source index in the timeline; the engine writes new ones as INDEX.made. */
  stillsFolder?: string;
}

/** An engine in a sandboxed process that can access only its own folder. */
export interface EngineProcess extends Engine {
  readonly pid: number | undefined;
  /** Why the process exited before `close`; undefined otherwise. */
  readonly exitError: EngineExitError | undefined;
  /** Renames the process's folder; no call may be pending. The process keeps its access, which belongs to the inode. */
  moveFolder(to: string): Promise<void>;
  /** Starts decoding a still image that a later frame shows. Errors are ignored here and reported by the frame. */
  decodeAhead(path: string): void;
  /** Keeps prepared and opened media between frames, for frames that are requested one by one. */
  keepMedia(): void;
  /** Writes a frame as a PNG or JPEG file, atomically. */
  writeFrame(timeline: Uint8Array, frame: number, outputPath: string, options?: WriteFrameOptions): Promise<{ width: number; height: number }>;
  /** Kills the process and waits for its exit. */
  close(): Promise<void>;
}

/** Starts an engine process; `settings.folder` must exist. */
export function startEngineProcess(settings: EngineProcessSettings): EngineProcess {
  return new SandboxedEngine(settings);
}

class SandboxedEngine implements EngineProcess {
  readonly #channel: EngineChannel;
  #folder: string;
  #identity: Promise<string | undefined> | undefined;

  constructor(settings: EngineProcessSettings) {
    this.#folder = settings.folder;
    this.#channel = new EngineChannel(settings);
  }

  get pid(): number | undefined {
    return this.#channel.pid;
  }

  get exitError(): EngineExitError | undefined {
    return this.#channel.exitError;
  }

  get maxParallelSegments(): number {
    return this.#channel.maxParallelSegments;
  }

  get maxParallelOnCards(): number {
    return this.#channel.maxParallelOnCards;
  }

  async moveFolder(to: string): Promise<void> {
    await mkdir(dirname(to), { recursive: true });
    // The sandbox resolves the folder's path at start, so the rename must come later.
    await this.#channel.ready;
    await rename(this.#folder, to);
    this.#folder = to;
  }

  close(): Promise<void> {
    return this.#channel.close();
  }

  /** Determined by this process, because the engine process may be compromised by its media. */
  identity(): Promise<string | undefined> {
    this.#identity ??= this.#channel.ready.then(() => {
      const { pid, exitError } = this.#channel;
      if (exitError !== undefined) throw exitError;
      return pid === undefined ? undefined : engineIdentity(engineProgram, pid);
    });
    return this.#identity;
  }

  capabilities(): Promise<Capabilities> {
    return this.#channel.call({ command: 'capabilities' });
  }

  probeEncoder(name: string): Promise<EncoderProbeResult> {
    return this.#channel.call({ command: 'probeEncoder', name });
  }

  probe(path: string): Promise<MediaProbeResult> {
    return this.#channel.call({ command: 'probe', path });
  }

  renderSegment(...[timeline, range, path, options]: Parameters<Engine['renderSegment']>): Promise<SegmentResult> {
    return this.#channel.call({ command: 'renderSegment', timeline: decodeTimeline(timeline), range, path }, options);
  }

  renderAudio(...[timeline, path, options]: Parameters<Engine['renderAudio']>): Promise<AudioResult> {
    return this.#channel.call({ command: 'renderAudio', timeline: decodeTimeline(timeline), path }, options);
  }

  /** Files outside the engine's folder are written inside it and moved when all of them are complete. The folder of a sequence is inside it. */
  async renderOutputs(...[timeline, outputs, { segments = [], ...options } = {}]: Parameters<Engine['renderOutputs']>): Promise<OutputsResult> {
    const files = outputs.map(({ path, format }) => ({
      path,
      inside: path.startsWith(this.#folder + sep) ? path : join(this.#folder, `finished-${randomUUID()}.${format}`),
    }));
    const moved: string[] = [];
    try {
      const specs = outputs.map((output, index) => ({ ...output, path: files[index]?.inside ?? output.path }));
      const call = { command: 'renderOutputs', timeline: decodeTimeline(timeline), outputs: specs, segments } as const;
      const result = toOutputsResult(await this.#channel.call<NativeOutputsResult>(call, options));
      for (const { path, inside } of files) {
        if (inside === path) continue;
        await publishFile(inside, path);
        moved.push(path);
      }
      return { ...result, outputs: result.outputs.map((output, index) => ({ ...output, path: files[index]?.path ?? output.path })) };
    } catch (error) {
      await Promise.all([...moved, ...files.map(({ inside }) => inside)].map((path) => rm(path, { force: true, recursive: true })));
      throw error;
    }
  }

  extractSound(...[path, outputPath, sampleRate, options]: Parameters<Engine['extractSound']>): Promise<AudioResult> {
    return this.#channel.call({ command: 'extractSound', path, outputPath, sampleRate }, options);
  }

  findBeats(...[path, expectedTempo, options]: Parameters<Engine['findBeats']>): Promise<Beats> {
    return this.#channel.call({ command: 'findBeats', path, ...(expectedTempo !== undefined && { expectedTempo }) }, options);
  }

  async stitch(...[request, options]: Parameters<Engine['stitch']>): Promise<StitchResult> {
    return this.#publishOutput('video', request.outputPath, (outputPath) =>
      this.#channel.call({ command: 'stitch', request: { ...request, outputPath } }, options),
    );
  }

  async writeFrame(...[timeline, frame, path, options]: Parameters<EngineProcess['writeFrame']>): Promise<{ width: number; height: number }> {
    const { type = 'png', stillsFolder, ...call } = options ?? {};
    return this.#publishOutput(type, path, (imagePath) =>
      this.#channel.call(
        { command: 'writeFrame', timeline: decodeTimeline(timeline), frame, imagePath, type, ...(stillsFolder !== undefined && { stillsFolder }) },
        call,
      ),
    );
  }

  decodeAhead(path: string): void {
    void this.#channel.call({ command: 'decodeAhead', path }).catch(() => {});
  }

  keepMedia(): void {
    void this.#channel.call({ command: 'keepMedia' }).catch(() => {});
  }

  async composeFrame(...[timeline, frame, options]: Parameters<Engine['composeFrame']>): Promise<ComposedFrame> {
    const pixelsPath = join(this.#folder, `frame-${randomUUID()}.rgba`);
    try {
      const size = await this.#channel.call<{ width: number; height: number }>(
        { command: 'composeFrame', timeline: decodeTimeline(timeline), frame, pixelsPath },
        options,
      );
      return { ...size, pixels: await readPixels(pixelsPath, size) };
    } finally {
      await rm(pixelsPath, { force: true });
    }
  }

  /** Lets the engine write into its folder, then moves the file to `path`. */
  async #publishOutput<Result>(kind: 'video' | ImageFormat, path: string, write: (path: string) => Promise<Result>): Promise<Result> {
    if (path.startsWith(this.#folder + sep)) return write(path);
    const inside = join(this.#folder, `finished-${randomUUID()}${extname(path)}`);
    try {
      const result = await write(inside);
      // The engine syncs only videos to disk; an image can be made again.
      await (kind === 'video' ? publishFile : moveFile)(inside, path);
      return result;
    } catch (error) {
      await rm(inside, { force: true });
      throw error;
    }
  }
}

async function readPixels(path: string, size: { width: number; height: number }): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size: bytes } = await file.stat();
    if (bytes !== size.width * size.height * 4)
      throw new AppError('INTERNAL_ERROR', { detail: `the engine wrote ${bytes} bytes for a frame of ${size.width}×${size.height}` });
    return await file.readFile();
  } finally {
    await file.close();
  }
}
