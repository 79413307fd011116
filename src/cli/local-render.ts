import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createAssets } from '../assets/index.js';
import { createFileCache } from '../cache/index.js';
import type { Config } from '../config/index.js';
import { type EngineProcess, startEngineProcess } from '../engine/index.js';
import { AppError } from '../errors/index.js';
import { createGenerator } from '../generation/index.js';
import { createOutbound } from '../outbound/index.js';
import { loadPacks } from '../packs/index.js';
import { createEncoderChoice, type RenderParts } from '../render/index.js';
import { createHtmlSprites, createTextSprites } from '../sprites/index.js';
import { createRecogniser } from '../subtitles/index.js';
import { createSpeaker } from '../voice/index.js';

/** A movie script from disk; syntax errors name the file. */
export async function readScript(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new AppError('INVALID_REQUEST', { message: `${path} cannot be read (${error.code}).`, cause: error });
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('INVALID_JSON', { message: `${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`, cause: error });
  }
}

/** URLs as the service allows them, and files beside the movie by relative or absolute path. */
export function localUrlPolicy(config: Config): (url: string) => string | undefined {
  const outbound = createOutbound(config.outbound);
  return (url) => (isRemote(url) ? outbound.checkUrl(url) : undefined);
}

function isRemote(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(url);
}

/** Here the engine is a process of this one's own. */
export type LocalParts = RenderParts & { engine: EngineProcess };

/** Runs `act` with everything a render needs in this process, and a work folder that is gone afterwards. */
export async function withLocalRender<T>(
  moviePath: string,
  config: Config,
  act: (parts: LocalParts, workDir: string) => Promise<T>,
  cacheDir: string | undefined = config.cache.isNamed ? config.cache.segmentsDir : undefined,
): Promise<T> {
  const workDir = await mkdtemp(join(tmpdir(), 'framewright-'));
  // Before all else: it starts while the movie is read.
  const engine = startEngineProcess({ ...config.sandbox, folder: workDir, readable: [dirname(resolve(moviePath))] });
  const outbound = createOutbound(config.outbound);
  const assets = createAssets({
    folder: join(workDir, 'assets'),
    outbound,
    probe: (path) => engine.probe(path),
    localRoot: dirname(resolve(moviePath)),
  });
  const sprites = createTextSprites({ folder: join(workDir, 'sprites') });
  const voices = createSpeaker(config.voice, config.outbound);
  const openHtml = (folder: string) => createHtmlSprites({ folder, ...config.html, outbound });
  const recogniser = config.speechToText && createRecogniser(config.speechToText, config.outbound, engine);
  const encoders = createEncoderChoice(config.engine.encoder);
  const parts: LocalParts = {
    engine,
    encoders,
    assets,
    sprites,
    openHtml,
    voices,
    generator: createGenerator(config.generation, config.outbound),
    ...(recogniser && { recogniser }),
    packs: loadPacks(config.packs.folder),
    ...(cacheDir !== undefined && { packetCache: createFileCache({ folder: cacheDir, maxBytes: config.cache.maxSegmentBytes }) }),
    compositor: config.engine.compositor,
    checkUrl: assets.checkUrl,
  };
  try {
    await encoders.checkNamed(engine);
    return await act(parts, workDir);
  } finally {
    await engine.close();
    await rm(workDir, { recursive: true, force: true });
  }
}
