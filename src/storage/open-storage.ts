import type { BucketConfig, StorageConfig } from '../config/index.js';
import { createLocalStorage } from './local-storage.js';
import type { ObjectStore } from './object-store.js';
import type { Storage } from './storage.js';

/** Opens the local folder, or the bucket if one is configured. Rejects when it cannot be used. */
export async function createStorage({ outputsDir, bucket }: Pick<StorageConfig, 'outputsDir' | 'bucket'>): Promise<Storage> {
  const local = await createLocalStorage(outputsDir);
  if (bucket === undefined) return local;
  // The S3 client is large, so it is only loaded when used.
  const { createS3Storage } = await import('./s3-storage.js');
  return createS3Storage(bucket, local);
}

/** Opens the part of a bucket that hosts share files in. */
export async function createObjectStore(bucket: BucketConfig): Promise<ObjectStore> {
  const { S3ObjectStore } = await import('./s3-object-store.js');
  return new S3ObjectStore(bucket);
}
