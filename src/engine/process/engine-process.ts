import { randomUUID } from 'node:crypto';
import { constants, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { AppError } from '../../errors/index.js';
import {
  type AudioResult,
  type CallOptions,
  type Capabilities,
  type ComposedFrame,
  decodeTimeline,
  type EncoderProbeResult,
  type Engine,
  type MediaProbeResult,
  type SegmentResult,
  type StitchResult,
} from '../engine.js';
import { engineIdentity } from '../engine-identity.js';
import { EngineChannel, type EngineProcessSettings } from './engine-channel.js';
import type { EngineExitError } from './engine-exit-error.js';
import type { ImageFormat } from './engine-messages.js';
import { engineProgram } from './engine-sandbox.js';
import { moveFile, publishFile } from './publish-file.js';

export interface WriteFrameOptions extends CallOptions {
  type?: ImageFormat;
  /** Within its folder: prepared stills of earlier processes, as SOURCE.still by their index in the timeline; there it leaves what it makes anew, as SOURCE.made. */
  stillsFolder?: string;
}

/** An engine in a process of its own, which can reach nothing but its folder. */
export interface EngineProcess extends Engine {
  readonly pid: number | undefined;
  /** Why it is gone, if it went unasked. */
  readonly exitError: EngineExitError | undefined;
  /** Its folder is called otherwise from now on; nothing may be under way. Rights belong to folders, not to their names. */
  moveFolder(to: string): Promise<void>;
  /** Decodes what may be a still that a frame will show; when it cannot, the frame tells why. */
  decodeAhead(path: string): void;
  /** What a frame has prepared and opened stays for the next one: for frames that are drawn one by one. */
  keepMedia(): void;
  /** A frame as a PNG or JPEG file, which appears whole under its name. */
  writeFrame(timeline: Uint8Array, frame: number, outputPath: string, options?: WriteFrameOptions): Promise<{ width: number; height: number }>;
  close(): Promise<void>;
}

/** The folder exists already. */
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

  async moveFolder(to: string): Promise<void> {
    await mkdir(dirname(to), { recursive: true });
    // Rules are made of the folder that the name leads to when the process starts.
    await this.#channel.ready;
    await rename(this.#folder, to);
    this.#folder = to;
  }

  close(): Promise<void> {
    return this.#channel.close();
  }

  /** Looked up from here: what media have made of the process has no say in it. */
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

  extractSound(...[path, outputPath, sampleRate, options]: Parameters<Engine['extractSound']>): Promise<AudioResult> {
    return this.#channel.call({ command: 'extractSound', path, outputPath, sampleRate }, options);
  }

  async stitch(...[request, options]: Parameters<Engine['stitch']>): Promise<StitchResult> {
    return this.#publishOutput('mp4', request.outputPath, (outputPath) =>
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

  /** The engine can write to its own folder alone. */
  async #publishOutput<Facts>(kind: 'mp4' | ImageFormat, path: string, write: (path: string) => Promise<Facts>): Promise<Facts> {
    if (path.startsWith(this.#folder + sep)) return write(path);
    const inside = join(this.#folder, `finished-${randomUUID()}.${kind}`);
    try {
      const facts = await write(inside);
      // A picture was never on the disk by then: the engine does not wait for that.
      await (kind === 'mp4' ? publishFile : moveFile)(inside, path);
      return facts;
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
    if (bytes !== size.width * size.height * 4) throw new AppError('INTERNAL_ERROR', { detail: `a frame of ${bytes} bytes for ${JSON.stringify(size)}` });
    return await file.readFile();
  } finally {
    await file.close();
  }
}
