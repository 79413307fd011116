import { stat } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import type { Config } from '../../config/index.js';
import { type BenchProgram, type Clip, inputError } from './bench-program.js';

/** A clip and the input file it was made from. */
export interface PreparedClip extends Clip {
  /** Absolute path of the input. */
  source: string;
}

/** Converts every input to Y4M in `folder`: movies are rendered losslessly, media decoded. Y4M inputs are used in place. */
export async function prepareClips(
  inputs: readonly string[],
  maxFrames: number,
  folder: string,
  parts: { program: BenchProgram; config: Config; signal: AbortSignal; onStage: (stage: string) => void },
): Promise<PreparedClip[]> {
  const clips: PreparedClip[] = [];
  for (const input of inputs) {
    parts.onStage(`preparing ${basename(input)}`);
    const source = resolve(input);
    await stat(source).catch((error: NodeJS.ErrnoException) => {
      throw inputError(input, new Error(`cannot be read (${error.code})`));
    });
    const stem = basename(source, extname(source));
    const name = clips.some((clip) => clip.name === stem) ? `${stem}-${clips.length + 1}` : stem;
    const path = join(folder, `${name}.y4m`);
    try {
      if (extname(source) === '.y4m') {
        const format = await parts.program.clip(source);
        clips.push({ name, source, path: source, ...format, frames: Math.min(format.frames, maxFrames) });
      } else {
        const media = extname(source) === '.json' ? await composeLossless(source, join(folder, `${name}.mp4`), parts) : source;
        clips.push({ name, source, path, ...(await parts.program.prepare(media, path, maxFrames)) });
      }
    } catch (error) {
      parts.signal.throwIfAborted();
      throw inputError(input, error);
    }
  }
  return clips;
}

/** Renders a movie losslessly with x264, every frame encoded. */
async function composeLossless(moviePath: string, outputPath: string, { config, signal, onStage }: Parameters<typeof prepareClips>[3]): Promise<string> {
  // Imported lazily: only movies need the renderer.
  const [{ withLocalRender }, { openMovieFile }] = await Promise.all([import('../local-render.js'), import('../movie-file.js')]);
  const script = asH264((await openMovieFile(moviePath)).script);
  const softwareConfig = { ...config, engine: { ...config.engine, encoder: 'software' as const } };
  await withLocalRender(moviePath, softwareConfig, async (parts, workDir) => {
    const { renderMovie } = await import('../../render/index.js');
    const encode = { preset: 'ultrafast', crf: 0, stillKeyframeSeconds: 0 };
    await renderMovie({ script, workDir, outputPath, signal, encode, onProgress: (_, stage) => onStage(`composing: ${stage}`) }, parts);
  });
  return outputPath;
}

function asH264(script: unknown): unknown {
  return typeof script === 'object' && script !== null && !Array.isArray(script) ? { ...script, codec: 'h264' } : script;
}
