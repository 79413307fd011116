import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../config/index.js';
import { createEnginePool, type EngineProcess } from '../../engine/index.js';
import { AppError } from '../../errors/index.js';
import { loadPacks } from '../../graphics/components/index.js';
import { createFontCatalogue, createHtmlSprites, createTextSprites, withDrawingProbe } from '../../graphics/index.js';
import { createOutbound } from '../../outbound/index.js';
import { createGenerator } from '../../providers/generation/index.js';
import { createSpeechSynthesizer } from '../../providers/speech/index.js';
import { type Assets, cacheAssets, createAssets } from '../../render/assets/index.js';
import { generationCheck, type RenderContext } from '../../render/index.js';
import { type Movie, parseMovie } from '../../script/index.js';
import { LruCache } from '../index.js';
import type { FromPreview, PreviewError, PreviewFrame, ToPreview } from '../preview-protocol.js';
import { AccountWorkspace } from './account-workspace.js';
import { PageCache } from './page-cache.js';
import { noRecognition, useLocalSpeech, usePlaceholders } from './placeholders.js';
import { createPreviewRenderer } from './preview-renderer.js';

/** The preview process: draws frames of scripts for the service, over IPC. Each account has an engine process of its own, which alone opens media. */

// A log that cannot be written (disk full) must not end a preview.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const heartbeatIntervalMs = 1000;
/** Frames that are drawn ahead of the client. */
const maxFramesAhead = 2;
/** Limits of an account's engine; the limits configured for renders apply where they are lower. */
const maxEngineMemoryMb = 2048;
const maxEngineFileMb = 2048;
/** Maximum number of fetched files that are remembered per account. */
const maxCachedFiles = 2000;
/** The file behind a URL may change while its script is edited. */
const fileTtlMs = 300_000;
/** All HTML sprites of one account together. */
const maxPageBytes = 512 * 1024 ** 2;

const config = loadConfig();
const home = join(config.storage.workDir, `preview-${process.pid}`);
mkdirSync(home, { recursive: true, mode: 0o700 });
process.once('exit', () => rmSync(home, { recursive: true, force: true }));

const { limits } = config.sandbox;
const engines = createEnginePool({
  ...config.sandbox,
  limits: { ...limits, memoryMb: Math.min(limits.memoryMb, maxEngineMemoryMb), fileMb: Math.min(limits.fileMb, maxEngineFileMb) },
  folder: home,
  readable: [],
});
const fonts = createFontCatalogue({ cleaning: { program: config.sandbox.fontSanitizer, mode: config.sandbox.mode } });
const outbound = createOutbound(config.outbound);
const voices = useLocalSpeech(createSpeechSynthesizer(config.voice, config.outbound));
const generator = usePlaceholders(createGenerator(config.generation, config.outbound), fonts);
const packs = loadPacks(config.packs.folder);
const renderer = createPreviewRenderer({ createWorkspace, parse });

let workspaceCount = 0;

async function createWorkspace(): Promise<AccountWorkspace> {
  workspaceCount += 1;
  const folder = join(home, `account-${workspaceCount}`);
  const engine = await engines.acquire(folder);
  engine.keepMedia();
  const probe = withDrawingProbe((path) => engine.probe(path), { folder: join(folder, 'drawings'), mode: config.sandbox.mode });
  const assets = cacheAssets(createAssets({ folder: join(folder, 'assets'), outbound, probe }), new LruCache(maxCachedFiles, fileTtlMs));
  const pages = new PageCache(() => createHtmlSprites({ folder: join(folder, 'pages'), ...config.html, outbound, limits: { imageBytes: maxPageBytes } }));
  return new AccountWorkspace({
    folder,
    engine,
    partsForMovie: ({ movieWidth, width }) => partsFor({ engine, assets, pages, sprites: join(folder, 'sprites'), density: Math.min(1, width / movieWidth) }),
    parse,
    closeParts: () => pages.close(),
  });
}

interface MovieParts {
  engine: EngineProcess;
  assets: Assets;
  pages: PageCache;
  /** Folder of text sprites. */
  sprites: string;
  density: number;
}

function parse(script: unknown): Movie {
  return parseMovie(script, { checkUrl: outbound.checkUrl, components: packs, ...generationCheck({ generator }) });
}

function partsFor({ engine, assets, pages, sprites, density }: MovieParts): RenderContext {
  return {
    engine,
    assets,
    sprites: createTextSprites({ folder: sprites, fonts }),
    openHtml: () => pages.forMovie(density),
    voices,
    generator,
    ...(config.speechToText && { recogniser: noRecognition }),
    packs,
    // Frames are small and drawn one at a time: opening a GPU device for each would take longer.
    compositor: 'cpu',
    sandboxMode: config.sandbox.mode,
    checkUrl: assets.checkUrl,
  };
}

interface ActiveRequest {
  cancel: AbortController;
  /** Frames that were sent and not acknowledged. */
  unacknowledged: number;
  /** Resumes drawing after an acknowledgement or a cancellation. */
  resume: () => void;
}

const activeRequests = new Map<number, ActiveRequest>();
let heartbeat: NodeJS.Timeout | undefined;

function send(message: FromPreview): void {
  // A closed channel means that the service is gone; the disconnect listener ends this process.
  if (process.connected) process.send?.(message);
}

async function answer(request: Extract<ToPreview, { type: 'open' | 'draw' }>): Promise<void> {
  const { id } = request;
  const active: ActiveRequest = { cancel: new AbortController(), unacknowledged: 0, resume: () => {} };
  activeRequests.set(id, active);
  heartbeat ??= setInterval(() => send({ type: 'alive' }), heartbeatIntervalMs);
  try {
    if (request.type === 'open') send({ type: 'opened', id, summary: await renderer.open(request, active.cancel.signal) });
    else await renderer.draw(request, (frame) => sendFrame(id, active, frame), active.cancel.signal);
    send({ type: 'done', id });
  } catch (error) {
    send({ type: 'failed', id, error: active.cancel.signal.aborted ? { code: 'INTERNAL_ERROR', message: 'The request was cancelled.' } : describe(error) });
  } finally {
    activeRequests.delete(id);
    if (activeRequests.size === 0) {
      clearInterval(heartbeat);
      heartbeat = undefined;
    }
  }
}

/** Resolves when the next frame may be drawn. */
async function sendFrame(id: number, active: ActiveRequest, frame: PreviewFrame): Promise<void> {
  send({ type: 'frame', id, frame });
  active.unacknowledged += 1;
  while (active.unacknowledged >= maxFramesAhead && !active.cancel.signal.aborted) {
    await new Promise<void>((resolve) => {
      active.resume = resolve;
    });
  }
}

function describe(error: unknown): PreviewError {
  if (error instanceof AppError && error.code !== 'INTERNAL_ERROR') {
    return { code: error.code, message: error.message, path: error.path, detail: error.detail };
  }
  const detail = error instanceof AppError ? error.detail : undefined;
  const stack = error instanceof Error ? error.stack : String(error);
  console.error(JSON.stringify({ level: 'error', message: 'preview failed unexpectedly', detail, stack }));
  return { code: 'INTERNAL_ERROR', message: 'The preview failed because of an internal error.', detail: detail ?? stack };
}

async function shutDown(): Promise<void> {
  for (const { cancel } of activeRequests.values()) cancel.abort(new Error('the preview process shuts down'));
  await renderer.close();
  await engines.close();
  process.exit(0);
}

process.on('message', (message: ToPreview) => {
  if (message.type === 'shutdown') {
    void shutDown();
    return;
  }
  const active = activeRequests.get(message.id);
  switch (message.type) {
    case 'open':
    case 'draw':
      void answer(message);
      break;
    case 'acknowledge':
      if (active !== undefined) active.unacknowledged -= 1;
      active?.resume();
      break;
    case 'cancel':
      active?.cancel.abort(new Error('the request was cancelled'));
      active?.resume();
      break;
  }
});
// The service is gone.
process.on('disconnect', () => process.exit(0));

/** Reports to the service that this process takes requests. */
export function startPreviewProcess(): void {
  send({ type: 'ready' });
}
