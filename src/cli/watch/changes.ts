import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** Delay after a change, because editors write a file in several steps. */
const settleMs = 120;
/** How long an empty file is waited for: editors truncate a file first, and on a busy host its content follows late. */
const maxEmptyMs = 2000;

/** Reports changes and replacements of files. */
export class Changes {
  readonly #onChange: () => void;
  /** Watchers by folder, because a watcher of a file ends when the file is replaced. */
  readonly #watchers = new Map<string, FSWatcher>();
  #files = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #emptySince: number | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Replaces the set of watched files. */
  follow(paths: readonly string[]): void {
    this.#files = new Set(paths.map((path) => resolve(path)));
    const folders = new Set([...this.#files].map((path) => dirname(path)).filter((folder) => existsSync(folder)));
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of folders) {
      if (this.#watchers.has(folder)) continue;
      const watcher = watch(folder, (_event, name) => this.#onEvent(folder, name));
      this.#watchers.set(folder, watcher);
    }
  }

  close(): void {
    this.#cancelTimer();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #onEvent(folder: string, name: string | null): void {
    // Some systems do not report the name.
    if (name === null || [...this.#files].some((path) => dirname(path) === folder && basename(path) === name)) this.#startTimer();
  }

  #startTimer(): void {
    this.#cancelTimer();
    // setImmediate lets a process that was busy read the file events that arrived meanwhile.
    this.#timer = setTimeout(() => {
      this.#immediate = setImmediate(() => this.#onSettled());
    }, settleMs);
  }

  #cancelTimer(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }

  #onSettled(): void {
    if ([...this.#files].some((path) => statSync(path, { throwIfNoEntry: false })?.size === 0)) {
      this.#emptySince ??= performance.now();
      if (performance.now() - this.#emptySince < maxEmptyMs) {
        this.#startTimer();
        return;
      }
    }
    this.#emptySince = undefined;
    this.#onChange();
  }
}
