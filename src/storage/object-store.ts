/** Files that hosts hand to each other, by name. A file is there whole or not at all, and its bytes are checked when it is taken. */
export interface ObjectStore {
  /** What is there already under a name stays: a name stands for one content. */
  upload(name: string, path: string): Promise<void>;
  putText(name: string, text: string): Promise<void>;
  has(name: string): Promise<boolean>;
  /** Copies the file to a path; its bytes, undefined: there is none. */
  download(name: string, path: string): Promise<number | undefined>;
  getText(name: string): Promise<string | undefined>;
  /** All whose names begin so. */
  deletePrefix(start: string): Promise<void>;
}
