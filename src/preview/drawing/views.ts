import { AppError } from '../../errors/index.js';
import { Semaphore } from '../../render/assets/index.js';
import { type Movie, resolveDurations } from '../../script/index.js';
import type { DrawWish, PreviewFacts, PreviewPicture, PreviewWarning } from '../preview-protocol.js';
import { describeMovie, readWarning } from './describe-movie.js';
import type { KeptMovie } from './kept-movie.js';
import type { Workspace } from './workspace.js';

export interface ViewRequest {
  accountId: string;
  script: unknown;
}

export interface Views {
  open(request: ViewRequest, signal: AbortSignal): Promise<PreviewFacts>;
  /** Draws the pictures one after the other; `onPicture` resolves when the next one may come. */
  draw(request: ViewRequest & { wish: DrawWish }, onPicture: (picture: PreviewPicture) => Promise<void>, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface ViewsParts {
  createWorkspace: () => Promise<Workspace>;
  /** As the plans of the workspaces read scripts. */
  parse: (script: unknown) => Movie;
}

/** Of accounts; each is an engine process and a folder. */
const mostWorkspaces = 4;
/** An account that did not ask for so long has to wait for its files again. */
const restMs = 300_000;
/** Of making a workspace whose engine stays. */
const mostAttempts = 3;
/** Frames at the same time: each uses a core or more. */
const framesAtOnce = 2;

export function createViews(parts: ViewsParts): Views {
  return new KeptViews(parts);
}

class KeptViews implements Views {
  readonly #parts: ViewsParts;
  readonly #workspaces = new Map<string, Promise<Workspace>>();
  readonly #frames = new Semaphore(framesAtOnce);
  readonly #leaving = new Set<Promise<void>>();

  constructor(parts: ViewsParts) {
    this.#parts = parts;
  }

  open({ accountId, script }: ViewRequest, signal: AbortSignal): Promise<PreviewFacts> {
    return this.#within(accountId, async (workspace) => {
      try {
        const { plan } = await workspace.movieOf(script, 0, signal);
        return describeMovie(plan.movie, plan.durations, plan.warnings.map(readWarning));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'RENDER_FAILED') throw error;
        return this.#estimate(script, readWarning(error.message));
      }
    });
  }

  draw({ accountId, script, wish }: Parameters<Views['draw']>[0], onPicture: Parameters<Views['draw']>[1], signal: AbortSignal): Promise<void> {
    return this.#within(accountId, async (workspace) => {
      const movie = await workspace.movieOf(script, wish.width, signal).catch((error: unknown) => {
        throw located(error);
      });
      for (const frame of framesOf(wish.moments, movie)) {
        signal.throwIfAborted();
        const picture = await this.#frames
          .run(() => workspace.picture(movie, frame, wish, signal))
          .catch((error: unknown) => {
            throw located(error);
          });
        await onPicture(picture);
      }
    });
  }

  async close(): Promise<void> {
    for (const accountId of [...this.#workspaces.keys()]) this.#giveUp(accountId);
    await Promise.all(this.#leaving);
  }

  /** By the script alone, where its files cannot be had. */
  #estimate(script: unknown, problem: PreviewWarning): PreviewFacts {
    const movie = this.#parts.parse(script);
    return describeMovie(
      movie,
      resolveDurations(movie, () => undefined),
      [problem],
    );
  }

  async #within<T>(accountId: string, work: (workspace: Workspace) => Promise<T>): Promise<T> {
    const workspace = await this.#enter(accountId);
    try {
      return await work(workspace);
    } finally {
      workspace.leave();
    }
  }

  async #enter(accountId: string): Promise<Workspace> {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const making = this.#workspaces.get(accountId) ?? this.#make(accountId);
      this.#workspaces.delete(accountId);
      this.#workspaces.set(accountId, making);
      const workspace = await making;
      if (!workspace.isSpent) {
        workspace.enter();
        void this.#makeRoom();
        return workspace;
      }
      if (this.#workspaces.get(accountId) === making) this.#giveUp(accountId);
    }
    throw new AppError('INTERNAL_ERROR', { detail: 'no engine for previews stays' });
  }

  #make(accountId: string): Promise<Workspace> {
    const making = this.#parts.createWorkspace();
    making.catch(() => {
      if (this.#workspaces.get(accountId) === making) this.#workspaces.delete(accountId);
    });
    return making;
  }

  /** The least recent ones go, unless somebody waits for them. */
  async #makeRoom(): Promise<void> {
    const all = [...this.#workspaces];
    const newest = all.at(-1)?.[0];
    for (const [index, [accountId, making]] of all.entries()) {
      const workspace = await making.catch(() => undefined);
      if (workspace === undefined || workspace.isUsed || accountId === newest) continue;
      if (all.length - index > mostWorkspaces || performance.now() - workspace.usedAt > restMs) this.#giveUp(accountId);
    }
  }

  /** Who works in it goes on; it is removed when the last one is done. */
  #giveUp(accountId: string): void {
    const making = this.#workspaces.get(accountId);
    this.#workspaces.delete(accountId);
    if (making === undefined) return;
    const leaving = making
      .then((workspace) => workspace.closeWhenFree())
      .catch(() => {})
      .finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }
}

/** What is wrong, without the path of the element in front of it. */
function located(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'RENDER_FAILED' || error.path !== undefined) return error;
  const { path } = readWarning(error.message);
  if (path === '') return error;
  return new AppError('RENDER_FAILED', { message: error.message, path, ...(error.detail === undefined ? {} : { detail: error.detail }), cause: error });
}

function framesOf(moments: DrawWish['moments'], movie: KeptMovie): number[] {
  const last = movie.frames - 1;
  if ('times' in moments) return moments.times.map((time) => Math.min(last, movie.frameAt(time)));
  const { from, to, step } = moments;
  const count = Math.floor((to - from) / step + 1e-6) + 1;
  const frames = Array.from({ length: count }, (_, index) => movie.frameAt(from + index * step)).filter((frame) => frame <= last);
  return frames.length > 0 ? frames : [last];
}
