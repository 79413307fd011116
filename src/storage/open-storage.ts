import { createLocalStorage } from './local-storage.js';
import type { BucketPlace } from './s3-client.js';
import type { Shelf } from './shelf.js';
import type { Storage } from './storage.js';

export interface StoragePlace {
  /** On this machine: finished files, or those that are on their way into the bucket. */
  outputsDir: string;
  bucket: BucketPlace | undefined;
}

export async function createStorage({ outputsDir, bucket }: StoragePlace): Promise<Storage> {
  const local = await createLocalStorage(outputsDir);
  if (bucket === undefined) return local;
  // The client of such stores is large: it is loaded where it is used.
  const { createS3Storage } = await import('./s3-storage.js');
  return createS3Storage(bucket, local);
}

/** Room in the bucket for what hosts hand to each other. */
export async function createShelf(bucket: BucketPlace): Promise<Shelf> {
  const { S3Shelf } = await import('./s3-shelf.js');
  return new S3Shelf(bucket);
}
