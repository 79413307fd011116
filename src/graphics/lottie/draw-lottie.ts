import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ProgramError, runSandboxed, type SandboxedRun } from '../../engine/child-processes/index.js';
import { AppError } from '../../errors/index.js';
import { FrameFile } from '../html/recording/frame-file.js';

/** What to draw of a Lottie file. */
export interface LottieDrawing {
  path: string;
  /** Pixels. */
  width: number;
  height: number;
  /** Of one play. */
  durationSeconds: number;
  /** Number of plays, after which the last frame stays; -1: endless. */
  plays: number;
  fps: { num: number; den: number };
  /** Frames of the movie that show it. */
  frames: number;
}

interface DrawOptions {
  /** Folder for drawn files and temporary ones; created if missing. */
  folder: string;
  mode: SandboxedRun['mode'];
  signal: AbortSignal;
}

/** What the sandboxed program draws. */
export interface LottieTask {
  /** Path of the drawing library. */
  library: string;
  folder: string;
  file: string;
  width: number;
  height: number;
  /** Seconds of the animation, one for each frame. */
  times: number[];
}

const program = fileURLToPath(new URL('../../../dist/graphics/lottie/lottie-main.js', import.meta.url));
const library = createRequire(import.meta.url).resolve('@napi-rs/canvas');
const memoryMb = 1536;
/** CPU time to start, and for each frame. */
const START_SECONDS = 10;
const FRAME_SECONDS = 0.5;
/** Deviation of one play from whole frames of the movie, in frames, up to which it is drawn once and repeated. */
const MAX_FRAME_DEVIATION = 0.01;

let drawings = 0;

/**
 * Draws a Lottie animation into an image or a sequence file in the folder, on the movie's clock. The file is untrusted, so Skia's player runs in a
 * sandboxed process. Throws RENDER_FAILED if the player cannot read the file or takes too long.
 */
export async function drawLottie(drawing: LottieDrawing, { folder, mode, signal }: DrawOptions): Promise<{ kind: 'image' | 'sequence'; path: string }> {
  await mkdir(folder, { recursive: true });
  const workFolder = await mkdtemp(join(folder, 'lottie-'));
  const { path, width, height, fps, frames } = drawing;
  const times = drawnTimes(drawing);
  try {
    const taskPath = join(workFolder, 'task.json');
    await writeFile(taskPath, JSON.stringify({ library, folder: workFolder, file: path, width, height, times } satisfies LottieTask));
    const readable = [path, dirname(process.execPath), '/etc/ssl/openssl.cnf', dirname(dirname(library)), dirname(dirname(dirname(program)))];
    const seconds = Math.ceil(START_SECONDS + FRAME_SECONDS * times.length);
    await runSandboxed(process.execPath, { args: [program, taskPath], mode, folder: workFolder, readable, memoryMb, seconds, signal });
    return await writeFrames(new FrameFile(join(folder, `lottie-${process.pid}-${drawings++}`), { fps, frames }), workFolder);
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    signal.throwIfAborted();
    throw new AppError('RENDER_FAILED', { message: 'the Lottie animation is invalid, or drawing it takes too long or too much memory', cause: error });
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

/** The moment of the animation for each frame that is drawn: of one play where the frames of all plays are equal. */
function drawnTimes({ durationSeconds, plays, fps, frames }: LottieDrawing): number[] {
  const playFrames = (durationSeconds * fps.num) / fps.den;
  const whole = Math.round(playFrames);
  const repeats = plays === -1 && whole >= 1 && Math.abs(playFrames - whole) <= MAX_FRAME_DEVIATION;
  return Array.from({ length: repeats ? Math.min(frames, whole) : frames }, (_, frame) => {
    const seconds = (frame * fps.den) / fps.num;
    // The end of the animation is its last moment, not its first one again.
    const isOver = plays !== -1 && seconds >= plays * durationSeconds - 1e-9;
    return isOver ? durationSeconds * (1 - 1e-6) : seconds % durationSeconds;
  });
}

async function writeFrames(file: FrameFile, folder: string): Promise<{ kind: 'image' | 'sequence'; path: string }> {
  try {
    const shown = JSON.parse(await readFile(join(folder, 'frames.json'), 'utf8')) as number[];
    let last: number | undefined;
    for (const image of shown) {
      if (image === last) await file.add(undefined);
      else await file.add(await readFile(join(folder, `${image}.png`)));
      last = image;
    }
    file.loopFrom(0);
    const { kind, path } = await file.finish(undefined);
    return { kind, path };
  } catch (error) {
    await file.discard();
    throw error;
  }
}
