import type { Readable } from 'node:stream';

/** Finished files by name. Names are made by the service, never by clients. */
export interface Storage {
  /** Path on this machine under which a render may leave the file called `name`. */
  pathFor(name: string): string;
  /** Takes over what a render left there: from then on it lasts. Its bytes; undefined: nothing is there. */
  commit(name: string): Promise<number | undefined>;
  open(name: string): Promise<StoredFile | undefined>;
  /** The file on this machine, for those who need a path; theirs until they dispose of it. */
  openLocal(name: string): Promise<LocalFile | undefined>;
  remove(name: string): Promise<void>;
  /** Everything there that a service may have written, in no order. */
  list(): AsyncIterable<StoredEntry>;
}

export interface StoredFile {
  sizeBytes: number;
  modifiedAt: Date;
  /** Bytes first..last, both included; default all. They can be read to their end also when the file is removed meanwhile. */
  read(range?: { first: number; last: number }): Promise<Readable>;
}

export interface LocalFile extends AsyncDisposable {
  path: string;
  sizeBytes: number;
}

export interface StoredEntry {
  /** Name of the finished file that it is, or that it was to become. */
  name: string;
  isWhole: boolean;
  remove(): Promise<void>;
}
