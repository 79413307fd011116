import { join } from 'node:path';
import type { Config } from '../config/index.js';
import type { EngineProcess, MediaProbeResult } from '../engine/index.js';
import { loadPacks } from '../graphics/components/index.js';
import { createFontCatalogue, createHtmlSprites, createTextSprites, withDrawingProbe } from '../graphics/index.js';
import { createOutbound } from '../outbound/index.js';
import { createGenerator } from '../providers/generation/index.js';
import { createSpeechSynthesizer } from '../providers/speech/index.js';
import { createRecogniser } from '../providers/transcription/index.js';
import { createAssets } from '../render/assets/index.js';
import { createEncoderSelection, type EncoderSelection, type RenderContext } from '../render/index.js';
import { createFileCache } from '../storage/cache/index.js';
import { openSpriteCache } from './frame-cache/sprite-cache.js';

/** What a render in this process needs, with its engine process and encoder selection. */
export type LocalParts = RenderContext & { engine: EngineProcess; encoders: EncoderSelection };

interface LocalSettings {
  engine: EngineProcess;
  config: Config;
  workDir: string;
  /** Folder of the movie, in which relative sources are found. */
  folder: string;
  cacheDir: string | false;
  /** Whether images are decoded as soon as they are known, so that a single frame does not wait for each of them. */
  decodesAhead: boolean;
}

/** Creates the parts of a render in this process. */
export function createLocalParts({ engine, config, workDir, folder, cacheDir, decodesAhead }: LocalSettings): LocalParts {
  const outbound = createOutbound(config.outbound);
  const probe = (path: string): Promise<MediaProbeResult> => {
    const result = engine.probe(path);
    if (decodesAhead) engine.decodeAhead(path);
    return result;
  };
  const drawings = { folder: join(workDir, 'drawings'), mode: config.sandbox.mode };
  const assets = createAssets({ folder: join(workDir, 'assets'), outbound, probe: withDrawingProbe(probe, drawings), localRoot: folder });
  const recogniser = config.speechToText && createRecogniser(config.speechToText, config.outbound, engine);
  const { maxSegmentBytes } = config.cache;
  const fontCleaning = { program: config.sandbox.fontSanitizer, mode: config.sandbox.mode };
  return {
    engine,
    encoders: createEncoderSelection(config.engine.encoder),
    assets,
    sprites: createTextSprites({
      folder: join(workDir, 'sprites'),
      fonts: createFontCatalogue({ cleaning: fontCleaning }),
      ...(cacheDir !== false && { cache: openSpriteCache(cacheDir, config.cache) }),
    }),
    openHtml: (pages: string) => createHtmlSprites({ folder: pages, ...config.html, outbound }),
    voices: createSpeechSynthesizer(config.voice, config.outbound),
    generator: createGenerator(config.generation, config.outbound),
    ...(recogniser && { recogniser }),
    packs: loadPacks(config.packs.folder),
    ...(cacheDir !== false && { packetCache: createFileCache({ folder: join(cacheDir, 'segments'), maxBytes: maxSegmentBytes }) }),
    compositor: config.engine.compositor,
    interop: config.engine.interop,
    hardwareDecode: config.engine.hardwareDecode,
    copies: config.engine.copies,
    sandboxMode: config.sandbox.mode,
    checkUrl: assets.checkUrl,
  };
}
