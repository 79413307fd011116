import { createLocalStorage } from './local-storage.js';
import type { ObjectStore } from './object-store.js';
import type { BucketLocation } from './s3-client.js';
import type { Storage } from './storage.js';

export interface StorageLocation {
  /** On this machine: finished files, or those that are on their way into the bucket. */
  outputsDir: string;
  bucket: BucketLocation | undefined;
}

export async function createStorage({ outputsDir, bucket }: StorageLocation): Promise<Storage> {
  const local = await createLocalStorage(outputsDir);
  if (bucket === undefined) return local;
  // The client of such stores is large: it is loaded where it is used.
  const { createS3Storage } = await import('./s3-storage.js');
  return createS3Storage(bucket, local);
}

/** Room in the bucket for what hosts hand to each other. */
export async function createObjectStore(bucket: BucketLocation): Promise<ObjectStore> {
  const { S3ObjectStore } = await import('./s3-object-store.js');
  return new S3ObjectStore(bucket);
}
