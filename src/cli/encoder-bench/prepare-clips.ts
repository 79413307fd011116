import { stat } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import type { Config } from '../../config/index.js';
import { type BenchProgram, type Clip, inputError } from './bench-program.js';

export interface PreparedClip extends Clip {
  /** What it was made of. */
  source: string;
}

/** Raw pictures of every input in `folder`: movies are composed without loss, media decoded, Y4M is used where it lies. */
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
      throw inputError(input, new Error(`it cannot be read (${error.code})`));
    });
    const stem = basename(source, extname(source));
    const name = clips.some((clip) => clip.name === stem) ? `${stem}-${clips.length + 1}` : stem;
    const path = join(folder, `${name}.y4m`);
    try {
      if (extname(source) === '.y4m') {
        const facts = await parts.program.clip(source);
        clips.push({ name, source, path: source, ...facts, frames: Math.min(facts.frames, maxFrames) });
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

/** x264 without loss, every picture by itself: what comes out is what was composed. */
async function composeLossless(moviePath: string, outputPath: string, { config, signal, onStage }: Parameters<typeof prepareClips>[3]): Promise<string> {
  // Whatever renders is loaded for movies alone.
  const [{ withLocalRender }, { openMovieFile }] = await Promise.all([import('../local-render.js'), import('../movie-file.js')]);
  const script = asH264((await openMovieFile(moviePath)).script);
  const inSoftware = { ...config, engine: { ...config.engine, encoder: 'software' as const } };
  await withLocalRender(
    moviePath,
    inSoftware,
    async (parts, workDir) => {
      const { renderMovie } = await import('../../render/index.js');
      const encode = { preset: 'ultrafast', crf: 0, stillKeyframeSeconds: 0 };
      await renderMovie({ script, workDir, outputPath, signal, encode, onProgress: (_, stage) => onStage(`composing: ${stage}`) }, parts);
    },
    undefined,
  );
  return outputPath;
}

function asH264(script: unknown): unknown {
  return typeof script === 'object' && script !== null && !Array.isArray(script) ? { ...script, codec: 'h264' } : script;
}
