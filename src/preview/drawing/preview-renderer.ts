import { AppError, type Problem, problemOf } from '../../errors/index.js';
import { Semaphore } from '../../render/assets/index.js';
import { type Movie, resolveDurations } from '../../script/index.js';
import type { DrawOptions, FrameTimes, PreviewFrame, PreviewSummary } from '../preview-protocol.js';
import type { AccountWorkspace } from './account-workspace.js';
import type { PlannedMovie } from './planned-movie.js';
import { summarizeMovie } from './summarize-movie.js';

/** A script and the account whose workspace it uses. */
interface PreviewScript {
  accountId: string;
  script: unknown;
}

/** Draws frames of scripts, each account in a workspace of its own. */
export interface PreviewRenderer {
  open(request: PreviewScript, signal: AbortSignal): Promise<PreviewSummary>;
  /** Draws the frames one after the other; `onFrame` resolves when the next one may be drawn. */
  draw(request: PreviewScript & { options: DrawOptions }, onFrame: (frame: PreviewFrame) => Promise<void>, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** What a renderer needs. */
interface PreviewRendererOptions {
  createWorkspace: () => Promise<AccountWorkspace>;
  /** Parses a script under the rules of a render. */
  parse: (script: unknown) => Movie;
}

/** Each workspace is an engine process and a folder. */
const maxWorkspaces = 4;
/** A workspace without requests for this time may be closed; its files are then fetched again. */
const workspaceIdleMs = 300_000;
/** Attempts to create a workspace whose engine starts. */
const maxAttempts = 3;
/** Each frame uses a core or more. */
const maxConcurrentFrames = 2;

/** Creates a renderer without workspaces; the first request of an account creates its workspace. */
export function createPreviewRenderer(options: PreviewRendererOptions): PreviewRenderer {
  return new WorkspaceRenderer(options);
}

class WorkspaceRenderer implements PreviewRenderer {
  readonly #options: PreviewRendererOptions;
  readonly #workspaces = new Map<string, Promise<AccountWorkspace>>();
  readonly #frames = new Semaphore(maxConcurrentFrames);
  readonly #closing = new Set<Promise<void>>();

  constructor(options: PreviewRendererOptions) {
    this.#options = options;
  }

  open({ accountId, script }: PreviewScript, signal: AbortSignal): Promise<PreviewSummary> {
    return this.#within(accountId, async (workspace) => {
      try {
        const { plan } = await workspace.movieOf(script, 0, signal);
        return summarizeMovie(plan.movie, plan.durations, plan.warnings);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'RENDER_FAILED') throw error;
        return this.#estimate(script, problemOf(error));
      }
    });
  }

  draw(
    { accountId, script, options }: Parameters<PreviewRenderer['draw']>[0],
    onFrame: Parameters<PreviewRenderer['draw']>[1],
    signal: AbortSignal,
  ): Promise<void> {
    return this.#within(accountId, async (workspace) => {
      const movie = await workspace.movieOf(script, options.width, signal);
      for (const frame of framesOf(options.times, movie)) {
        signal.throwIfAborted();
        await onFrame(await this.#frames.run(() => workspace.drawFrame(movie, frame, options, signal)));
      }
    });
  }

  async close(): Promise<void> {
    for (const accountId of [...this.#workspaces.keys()]) this.#discard(accountId);
    await Promise.all(this.#closing);
  }

  /** A summary of the script alone, when its files cannot be fetched. */
  #estimate(script: unknown, problem: Problem): PreviewSummary {
    const movie = this.#options.parse(script);
    return summarizeMovie(
      movie,
      resolveDurations(movie, () => undefined),
      [problem],
    );
  }

  async #within<T>(accountId: string, work: (workspace: AccountWorkspace) => Promise<T>): Promise<T> {
    const workspace = await this.#enter(accountId);
    try {
      return await work(workspace);
    } finally {
      workspace.leave();
    }
  }

  async #enter(accountId: string): Promise<AccountWorkspace> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const creating = this.#workspaces.get(accountId) ?? this.#create(accountId);
      this.#workspaces.delete(accountId);
      this.#workspaces.set(accountId, creating);
      const workspace = await creating;
      if (!workspace.isUnusable) {
        workspace.enter();
        void this.#evict();
        return workspace;
      }
      if (this.#workspaces.get(accountId) === creating) this.#discard(accountId);
    }
    throw new AppError('INTERNAL_ERROR', { detail: `no preview engine stayed up in ${maxAttempts} attempts` });
  }

  #create(accountId: string): Promise<AccountWorkspace> {
    const creating = this.#options.createWorkspace();
    creating.catch(() => {
      if (this.#workspaces.get(accountId) === creating) this.#workspaces.delete(accountId);
    });
    return creating;
  }

  /** Closes the least recently used workspaces that have no request in progress. */
  async #evict(): Promise<void> {
    const all = [...this.#workspaces];
    const newest = all.at(-1)?.[0];
    for (const [index, [accountId, creating]] of all.entries()) {
      const workspace = await creating.catch(() => undefined);
      if (workspace === undefined || workspace.isInUse || accountId === newest) continue;
      if (all.length - index > maxWorkspaces || performance.now() - workspace.lastUsedMs > workspaceIdleMs) this.#discard(accountId);
    }
  }

  /** Requests in progress finish; the workspace closes after the last one. */
  #discard(accountId: string): void {
    const creating = this.#workspaces.get(accountId);
    this.#workspaces.delete(accountId);
    if (creating === undefined) return;
    const closing = creating
      .then((workspace) => workspace.closeWhenIdle())
      .catch(() => {})
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

function framesOf(times: FrameTimes, movie: PlannedMovie): number[] {
  const last = movie.frameCount - 1;
  if ('times' in times) return times.times.map((time) => Math.min(last, movie.frameAt(time)));
  const { from, to, step } = times;
  const count = Math.floor((to - from) / step + 1e-6) + 1;
  const frames = Array.from({ length: count }, (_, index) => movie.frameAt(from + index * step)).filter((frame) => frame <= last);
  return frames.length > 0 ? frames : [last];
}
