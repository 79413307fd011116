/** Files shared between hosts, by name. Uploads are atomic and downloads are verified. */
export interface ObjectStore {
  /** Uploads a file. A name must always stand for the same content. */
  upload(name: string, path: string): Promise<void>;
  putText(name: string, text: string): Promise<void>;
  has(name: string): Promise<boolean>;
  /** Downloads a file to a path and returns its size in bytes; undefined when it does not exist. */
  download(name: string, path: string): Promise<number | undefined>;
  getText(name: string): Promise<string | undefined>;
  /** Deletes all files whose names start with `start`. */
  deletePrefix(start: string): Promise<void>;
}
