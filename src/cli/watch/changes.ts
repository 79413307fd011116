import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** Editors write a file in several steps. */
const settleMs = 120;
/** They empty it first; on a busy machine what it is to hold comes much later. */
const emptyMs = 2000;

/** Tells when one of some files was changed, written anew or put in another's place. */
export class Changes {
  readonly #onChange: () => void;
  /** Of folders: a watch on a file ends when the file is replaced. */
  readonly #watchers = new Map<string, FSWatcher>();
  #files = new Set<string>();
  #settling: NodeJS.Timeout | undefined;
  #settled: NodeJS.Immediate | undefined;
  #emptySince: number | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** From now on these, and no others. */
  follow(paths: readonly string[]): void {
    this.#files = new Set(paths.map((path) => resolve(path)));
    const folders = new Set([...this.#files].map((path) => dirname(path)).filter((folder) => existsSync(folder)));
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of folders) {
      if (!this.#watchers.has(folder))
        this.#watchers.set(
          folder,
          watch(folder, (_event, name) => this.#seen(folder, name)),
        );
    }
  }

  close(): void {
    this.#unsettle();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #seen(folder: string, name: string | null): void {
    // Not every system tells the name.
    const isOurs = name === null || [...this.#files].some((path) => dirname(path) === folder && basename(path) === name);
    if (!isOurs) return;
    this.#settle();
  }

  #settle(): void {
    this.#unsettle();
    // A process that was busy hears of what has happened since before it goes on.
    this.#settling = setTimeout(() => {
      this.#settled = setImmediate(() => this.#tell());
    }, settleMs);
  }

  #unsettle(): void {
    clearTimeout(this.#settling);
    clearImmediate(this.#settled);
  }

  #tell(): void {
    if ([...this.#files].some(isEmpty)) {
      this.#emptySince ??= performance.now();
      if (performance.now() - this.#emptySince < emptyMs) {
        this.#settle();
        return;
      }
    }
    this.#emptySince = undefined;
    this.#onChange();
  }
}

function isEmpty(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === 0;
}
