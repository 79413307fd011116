import { randomUUID } from 'node:crypto';
import { constants, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { AppError } from '../../errors/index.js';
import type { AudioFacts, CallOptions, Capabilities, ComposedFrame, EncoderVerdict, Engine, MediaFacts, OutputFacts, SegmentFacts } from '../engine.js';
import { engineIdentity } from '../engine-identity.js';
import { engineProgram } from './confinement.js';
import { type ChannelSettings, EngineChannel } from './engine-channel.js';
import type { EngineLost } from './engine-lost.js';
import type { PictureType } from './engine-messages.js';
import { placeFile, publishFile } from './publish-file.js';

export type EngineProcessSettings = ChannelSettings;

export interface WriteFrameOptions extends CallOptions {
  type?: PictureType;
  /** Within its folder: prepared stills of earlier processes, as SOURCE.still by their index in the timeline; there it leaves what it makes anew, as SOURCE.made. */
  stillsFolder?: string;
}

/** An engine in a process of its own, which can reach nothing but its folder. */
export interface EngineProcess extends Engine {
  readonly pid: number | undefined;
  /** Why it is gone, if it went unasked. */
  readonly loss: EngineLost | undefined;
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
  return new ConfinedEngine(settings);
}

class ConfinedEngine implements EngineProcess {
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

  get loss(): EngineLost | undefined {
    return this.#channel.loss;
  }

  get segmentsAtOnce(): number {
    return this.#channel.segmentsAtOnce;
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
      const { pid, loss } = this.#channel;
      if (loss !== undefined) throw loss;
      return pid === undefined ? undefined : engineIdentity(engineProgram, pid);
    });
    return this.#identity;
  }

  capabilities(): Promise<Capabilities> {
    return this.#channel.ask({ act: 'capabilities' });
  }

  tryEncoder(name: string): Promise<EncoderVerdict> {
    return this.#channel.ask({ act: 'tryEncoder', name });
  }

  probe(path: string): Promise<MediaFacts> {
    return this.#channel.ask({ act: 'probe', path });
  }

  renderSegment(...[timeline, range, path, options]: Parameters<Engine['renderSegment']>): Promise<SegmentFacts> {
    return this.#channel.ask({ act: 'renderSegment', timeline: textOf(timeline), range, path }, options);
  }

  renderAudio(...[timeline, path, options]: Parameters<Engine['renderAudio']>): Promise<AudioFacts> {
    return this.#channel.ask({ act: 'renderAudio', timeline: textOf(timeline), path }, options);
  }

  extractSound(...[path, outputPath, sampleRate, options]: Parameters<Engine['extractSound']>): Promise<AudioFacts> {
    return this.#channel.ask({ act: 'extractSound', path, outputPath, sampleRate }, options);
  }

  async stitch(...[request, options]: Parameters<Engine['stitch']>): Promise<OutputFacts> {
    return this.#writeOutside('mp4', request.outputPath, (outputPath) => this.#channel.ask({ act: 'stitch', request: { ...request, outputPath } }, options));
  }

  async writeFrame(...[timeline, frame, path, options]: Parameters<EngineProcess['writeFrame']>): Promise<{ width: number; height: number }> {
    const { type = 'png', stillsFolder, ...call } = options ?? {};
    return this.#writeOutside(type, path, (picturePath) =>
      this.#channel.ask({ act: 'writeFrame', timeline: textOf(timeline), frame, picturePath, type, ...(stillsFolder !== undefined && { stillsFolder }) }, call),
    );
  }

  decodeAhead(path: string): void {
    void this.#channel.ask({ act: 'decodeAhead', path }).catch(() => {});
  }

  keepMedia(): void {
    void this.#channel.ask({ act: 'keepMedia' }).catch(() => {});
  }

  async composeFrame(...[timeline, frame, options]: Parameters<Engine['composeFrame']>): Promise<ComposedFrame> {
    const pixelsPath = join(this.#folder, `frame-${randomUUID()}.rgba`);
    try {
      const size = await this.#channel.ask<{ width: number; height: number }>({ act: 'composeFrame', timeline: textOf(timeline), frame, pixelsPath }, options);
      return { ...size, pixels: await readPixels(pixelsPath, size) };
    } finally {
      await rm(pixelsPath, { force: true });
    }
  }

  /** The engine can write to its own folder alone. */
  async #writeOutside<Facts>(kind: 'mp4' | PictureType, path: string, write: (path: string) => Promise<Facts>): Promise<Facts> {
    if (path.startsWith(this.#folder + sep)) return write(path);
    const inside = join(this.#folder, `finished-${randomUUID()}.${kind}`);
    try {
      const facts = await write(inside);
      // A picture was never on the disk by then: the engine does not wait for that.
      await (kind === 'mp4' ? publishFile : placeFile)(inside, path);
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

function textOf(timeline: Uint8Array): string {
  return Buffer.from(timeline.buffer, timeline.byteOffset, timeline.byteLength).toString('utf8');
}
