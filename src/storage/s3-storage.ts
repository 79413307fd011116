import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { type BucketLocation, createS3Client, isMissing } from './s3-client.js';
import type { LocalFile, Storage, StoredEntry, StoredFile } from './storage.js';

/** A bucket may hold what others put there: only what has the full form of our names is ours. */
const ownName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9a-f]{64}\.mp4$/;

const partBytes = 8 * 1024 * 1024;
/** Before each further try to store a film: rendering it again costs more than waiting for a store that is away for a while. */
const pausesMs = [500, 2000, 5000, 15_000, 30_000, 60_000];

/** Keeps finished files in a bucket; renders leave them in `local` first. Keys come from where the AWS client looks for them. */
export async function createS3Storage(place: BucketLocation, local: Storage): Promise<Storage> {
  const client = createS3Client(place);
  try {
    await client.send(new HeadBucketCommand({ Bucket: place.bucket }));
  } catch (error) {
    client.destroy();
    throw new Error(`The bucket ${place.bucket} cannot be used: ${reasonOf(error)}.`, { cause: error });
  }
  return new S3Storage(client, place, local);
}

class S3Storage implements Storage {
  readonly #client: S3Client;
  readonly #place: BucketLocation;
  readonly #local: Storage;

  constructor(client: S3Client, place: BucketLocation, local: Storage) {
    this.#client = client;
    this.#place = place;
    this.#local = local;
  }

  pathFor(name: string): string {
    return this.#local.pathFor(name);
  }

  async commit(name: string): Promise<number | undefined> {
    const path = this.pathFor(name);
    const sizeBytes = (await stat(path).catch(() => undefined))?.size;
    if (sizeBytes === undefined || sizeBytes === 0) return undefined;
    for (const pauseMs of [...pausesMs, undefined]) {
      try {
        await this.#upload(name, path, sizeBytes);
        break;
      } catch (error) {
        if (pauseMs === undefined) throw error;
        await sleep(pauseMs);
      }
    }
    await this.#local.remove(name);
    return sizeBytes;
  }

  async open(name: string): Promise<StoredFile | undefined> {
    if (!ownName.test(name)) return undefined;
    try {
      const { ContentLength, LastModified } = await this.#client.send(new HeadObjectCommand(this.#object(name)));
      return { sizeBytes: ContentLength ?? 0, modifiedAt: LastModified ?? new Date(0), read: (range) => this.#read(name, range) };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async openLocal(name: string): Promise<LocalFile | undefined> {
    const stored = await this.open(name);
    if (stored === undefined) return undefined;
    // Called as a file that is being written: a crash's leavings are looked for under such names.
    const path = `${this.pathFor(name)}.${randomUUID()}.partial`;
    const giveBack = (): Promise<void> => rm(path, { force: true });
    try {
      await pipeline(await stored.read(), createWriteStream(path, { mode: 0o600 }));
    } catch (error) {
      await giveBack();
      throw error;
    }
    return { path, sizeBytes: stored.sizeBytes, [Symbol.asyncDispose]: giveBack };
  }

  async remove(name: string): Promise<void> {
    await this.#local.remove(name);
    await this.#client.send(new DeleteObjectCommand(this.#object(name)));
  }

  async *list(): AsyncIterable<StoredEntry> {
    // What is still here has not arrived there.
    for await (const entry of this.#local.list()) yield { ...entry, isWhole: false };
    const { bucket, prefix } = this.#place;
    for await (const page of paginateListObjectsV2({ client: this.#client }, { Bucket: bucket, Prefix: prefix })) {
      for (const { Key: key = '' } of page.Contents ?? []) {
        const name = key.slice(prefix.length);
        if (ownName.test(name)) yield { name, isWhole: true, remove: () => this.remove(name) };
      }
    }
  }

  async #upload(name: string, path: string, sizeBytes: number): Promise<void> {
    const params = { ...this.#object(name), Body: createReadStream(path), ContentType: 'video/mp4' };
    await new Upload({ client: this.#client, params, partSize: partBytes, queueSize: 2, leavePartsOnError: false }).done();
    const { ContentLength } = await this.#client.send(new HeadObjectCommand(this.#object(name)));
    if (ContentLength !== sizeBytes) throw new Error(`the store kept ${ContentLength ?? 'no'} bytes of ${sizeBytes}`);
  }

  async #read(name: string, range?: { first: number; last: number }): Promise<Readable> {
    const Range = range && `bytes=${range.first}-${range.last}`;
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ ...this.#object(name), ...(Range !== undefined && { Range }) }));
      return Body as Readable;
    } catch (error) {
      throw isMissing(error) ? Object.assign(new Error('the object is gone'), { code: 'ENOENT' }) : error;
    }
  }

  #object(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#place.bucket, Key: `${this.#place.prefix}${name}` };
  }
}

function reasonOf(error: unknown): string {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  if (status === 404) return 'there is none of that name';
  if (status === 403) return 'the keys of this machine have no right to it';
  return status === undefined ? String(error instanceof Error ? error.message || error.name : error) : `the store answered ${status}`;
}
