import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { S3Server } from '../s3-server.js';

/** Sizes of stored outputs by name. */
export type OutputSizes = ReadonlyMap<string, number>;

export async function listFolder(folder: string): Promise<OutputSizes> {
  const names = await readdir(folder);
  return new Map(await Promise.all(names.map(async (name): Promise<[string, number]> => [name, (await stat(join(folder, name))).size])));
}

/** Lists the outputs of the server's bucket: objects without a folder. */
export async function listBucket(server: S3Server): Promise<OutputSizes> {
  const client = server.createClient();
  const sizes = new Map<string, number>();
  try {
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: 'films', Delimiter: '/' })) {
      for (const { Key: key = '', Size: size = 0 } of Contents) sizes.set(key, size);
    }
    return sizes;
  } finally {
    client.destroy();
  }
}
