import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../config/index.js';
import { createEnginePool, type EngineProcess } from '../../engine/index.js';
import { AppError } from '../../errors/index.js';
import { loadPacks } from '../../graphics/components/index.js';
import { createFontCatalogue, createHtmlSprites, createTextSprites, withSvgProbe } from '../../graphics/index.js';
import { createOutbound } from '../../outbound/index.js';
import { createGenerator } from '../../providers/generation/index.js';
import { createSpeechSynthesizer } from '../../providers/speech/index.js';
import { type Assets, createAssets } from '../../render/assets/index.js';
import { generationCheck, type RenderContext } from '../../render/index.js';
import { type Movie, parseMovie } from '../../script/index.js';
import type { FromPreview, PreviewError, ToPreview } from '../preview-protocol.js';
import { createViews, KeptPages, keepAssets, viewLimits, Workspace, withoutMaking, withoutRecognition, withoutServices } from './index.js';

/** A preview process: draws pictures of scripts for the service, over IPC. What opens media is an engine process of its own for each account. */

// A log that cannot be written (a full disk) is no reason to end a preview.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const aliveMs = 1000;
/** So many pictures are drawn ahead of whoever takes them. */
const picturesAhead = 2;
/** Of an account's engine; the operator's limits of renders count where they are lower. */
const engineMemoryMb = 2048;
const engineFileMb = 2048;
/** Of all pages of one account together. */
const pageBytes = 512 * 1024 ** 2;

const config = loadConfig();
const home = join(config.storage.workDir, `preview-${process.pid}`);
mkdirSync(home, { recursive: true, mode: 0o700 });
process.once('exit', () => rmSync(home, { recursive: true, force: true }));

const { limits } = config.sandbox;
const engines = createEnginePool({
  ...config.sandbox,
  limits: { ...limits, memoryMb: Math.min(limits.memoryMb, engineMemoryMb), fileMb: Math.min(limits.fileMb, engineFileMb) },
  folder: home,
  readable: [],
});
const fonts = createFontCatalogue({ cleaning: { program: config.sandbox.fontSanitizer, mode: config.sandbox.mode } });
const outbound = createOutbound(config.outbound);
const voices = withoutServices(createSpeechSynthesizer(config.voice, config.outbound));
const generator = withoutMaking(createGenerator(config.generation, config.outbound), fonts);
const packs = loadPacks(config.packs.folder);
const views = createViews({
  createWorkspace,
  parse,
});

let workspaces = 0;

async function createWorkspace(): Promise<Workspace> {
  workspaces += 1;
  const folder = join(home, `account-${workspaces}`);
  const engine = await engines.acquire(folder);
  engine.keepMedia();
  const probe = withSvgProbe((path) => engine.probe(path), { folder: join(folder, 'drawings'), mode: config.sandbox.mode });
  const assets = keepAssets(createAssets({ folder: join(folder, 'assets'), outbound, probe }));
  const pages = new KeptPages(() => createHtmlSprites({ folder: join(folder, 'pages'), ...config.html, outbound, limits: { imageBytes: pageBytes } }));
  return new Workspace({
    folder,
    engine,
    partsForMovie: ({ movieWidth, width }) => partsFor({ engine, assets, pages, sprites: join(folder, 'sprites'), density: Math.min(1, width / movieWidth) }),
    parse,
    limits: viewLimits,
    end: () => pages.close(),
  });
}

interface MovieParts {
  engine: EngineProcess;
  assets: Assets;
  pages: KeptPages;
  /** Folder of what is drawn. */
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
    ...(config.speechToText && { recogniser: withoutRecognition }),
    packs,
    // Small pictures one by one: a graphics device would be opened for each.
    compositor: 'cpu',
    sandboxMode: config.sandbox.mode,
    checkUrl: assets.checkUrl,
  };
}

interface Running {
  stop: AbortController;
  /** Pictures that were sent and not taken yet. */
  ahead: number;
  goOn: () => void;
}

const running = new Map<number, Running>();
let alive: NodeJS.Timeout | undefined;

function send(message: FromPreview): void {
  // A closed channel means that the service is gone; the disconnect listener ends this process.
  if (process.connected) process.send?.(message);
}

async function answer(request: Extract<ToPreview, { type: 'open' | 'draw' }>): Promise<void> {
  const { id } = request;
  const mine: Running = { stop: new AbortController(), ahead: 0, goOn: () => {} };
  running.set(id, mine);
  alive ??= setInterval(() => send({ type: 'alive' }), aliveMs);
  try {
    if (request.type === 'open') send({ type: 'opened', id, facts: await views.open(request, mine.stop.signal) });
    else await views.draw(request, (picture) => sendPicture(id, mine, picture), mine.stop.signal);
    send({ type: 'done', id });
  } catch (error) {
    send({ type: 'failed', id, error: mine.stop.signal.aborted ? { code: 'INTERNAL_ERROR', message: 'Nobody wanted it any more.' } : describe(error) });
  } finally {
    running.delete(id);
    if (running.size === 0) {
      clearInterval(alive);
      alive = undefined;
    }
  }
}

/** Resolves when the next one may be drawn. */
async function sendPicture(id: number, mine: Running, picture: Extract<FromPreview, { type: 'picture' }>['picture']): Promise<void> {
  send({ type: 'picture', id, picture });
  mine.ahead += 1;
  while (mine.ahead >= picturesAhead && !mine.stop.signal.aborted) {
    await new Promise<void>((resolve) => {
      mine.goOn = resolve;
    });
  }
}

function describe(error: unknown): PreviewError {
  if (error instanceof AppError && error.code !== 'INTERNAL_ERROR') {
    return { code: error.code, message: error.message, path: error.path, detail: error.detail };
  }
  const detail = error instanceof AppError ? error.detail : undefined;
  const stack = error instanceof Error ? error.stack : String(error);
  console.error(JSON.stringify({ level: 'error', message: 'a preview failed for an unexpected reason', detail, stack }));
  return { code: 'INTERNAL_ERROR', message: 'The preview stopped for an unexpected reason.', detail: detail ?? stack };
}

async function end(): Promise<void> {
  for (const { stop } of running.values()) stop.abort(new Error('it is to end'));
  await views.close();
  await engines.close();
  process.exit(0);
}

process.on('message', (message: ToPreview) => {
  if (message.type === 'end') {
    void end();
    return;
  }
  const mine = running.get(message.id);
  switch (message.type) {
    case 'open':
    case 'draw':
      void answer(message);
      break;
    case 'taken':
      if (mine !== undefined) mine.ahead -= 1;
      mine?.goOn();
      break;
    case 'stop':
      mine?.stop.abort(new Error('nobody wants it any more'));
      mine?.goOn();
      break;
  }
});
// Without its service nobody wants pictures.
process.on('disconnect', () => process.exit(0));

export function startPreviewDrawer(): void {
  send({ type: 'ready' });
}
