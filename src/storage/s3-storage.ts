import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
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
import type { BucketConfig } from '../config/index.js';
import { isOutputName, mimeTypeOf, outputFolder } from './output-names.js';
import { createS3Client, isMissing } from './s3-client.js';
import type { LocalFile, Storage, StoredEntry, StoredFile } from './storage.js';

const partBytes = 8 * 1024 * 1024;
/** Delays between upload attempts: waiting for an unavailable store costs less than rendering again. */
const retryDelaysMs = [500, 2000, 5000, 15_000, 30_000, 60_000];

/** Stores finished files in a bucket; renders write them to `local` first. Rejects when the bucket cannot be used. */
export async function createS3Storage(location: BucketConfig, local: Storage): Promise<Storage> {
  const client = createS3Client(location);
  try {
    await client.send(new HeadBucketCommand({ Bucket: location.bucket }));
  } catch (error) {
    client.destroy();
    throw new Error(`The bucket ${location.bucket} cannot be used: ${reasonOf(error)}.`, { cause: error });
  }
  return new S3Storage(client, location, local);
}

class S3Storage implements Storage {
  readonly #client: S3Client;
  readonly #location: BucketConfig;
  readonly #local: Storage;

  constructor(client: S3Client, location: BucketConfig, local: Storage) {
    this.#client = client;
    this.#location = location;
    this.#local = local;
  }

  pathFor(name: string): string {
    return this.#local.pathFor(name);
  }

  async commit(name: string): Promise<number | undefined> {
    const isThere = ((await stat(this.pathFor(name)).catch(() => undefined))?.size ?? 0) > 0;
    if (!isThere) return undefined;
    let sizeBytes = 0;
    for (const file of await this.#local.filesOf(name)) sizeBytes += await this.#commitFile(file);
    await this.#local.remove(name);
    return sizeBytes;
  }

  /** Uploads one file; rejects when the store stays unavailable. */
  async #commitFile(name: string): Promise<number> {
    const path = this.pathFor(name);
    const sizeBytes = (await stat(path)).size;
    for (const pauseMs of [...retryDelaysMs, undefined]) {
      try {
        await this.#upload(name, path, sizeBytes);
        break;
      } catch (error) {
        if (pauseMs === undefined) throw error;
        await sleep(pauseMs);
      }
    }
    return sizeBytes;
  }

  async filesOf(name: string): Promise<string[]> {
    const folder = outputFolder(name);
    if (folder === undefined) return [name];
    const { bucket, prefix } = this.#location;
    const names: string[] = [];
    for await (const page of paginateListObjectsV2({ client: this.#client }, { Bucket: bucket, Prefix: `${prefix}${folder}/` })) {
      for (const { Key: key = '' } of page.Contents ?? []) if (isOutputName(key.slice(prefix.length))) names.push(key.slice(prefix.length));
    }
    return names;
  }

  async open(name: string): Promise<StoredFile | undefined> {
    if (!isOutputName(name)) return undefined;
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
    // Named like a partial file, so that a copy left by a crash is cleaned up.
    const path = `${this.pathFor(name)}.${randomUUID()}.partial`;
    const folder = outputFolder(name) === undefined ? undefined : dirname(path);
    const deleteCopy = async (): Promise<void> => {
      await rm(path, { force: true });
      // The last copy of a folder's files removes it.
      if (folder !== undefined) await rmdir(folder).catch(() => {});
    };
    try {
      if (folder !== undefined) await mkdir(folder, { recursive: true });
      await pipeline(await stored.read(), createWriteStream(path, { mode: 0o600 }));
    } catch (error) {
      await deleteCopy();
      throw error;
    }
    return { path, sizeBytes: stored.sizeBytes, [Symbol.asyncDispose]: deleteCopy };
  }

  async remove(name: string): Promise<void> {
    await this.#local.remove(name);
    for (const file of await this.filesOf(name)) await this.#removeFile(file);
  }

  async #removeFile(name: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#object(name)));
  }

  async *list(): AsyncIterable<StoredEntry> {
    // Local files are not uploaded yet.
    for await (const entry of this.#local.list()) yield { ...entry, isWhole: false };
    const { bucket, prefix } = this.#location;
    for await (const page of paginateListObjectsV2({ client: this.#client }, { Bucket: bucket, Prefix: prefix })) {
      for (const { Key: key = '' } of page.Contents ?? []) {
        const name = key.slice(prefix.length);
        // Other objects in the bucket are not the service's.
        if (isOutputName(name)) yield { name, isWhole: true, remove: () => this.#removeFile(name) };
      }
    }
  }

  async #upload(name: string, path: string, sizeBytes: number): Promise<void> {
    const params = { ...this.#object(name), Body: createReadStream(path), ContentType: mimeTypeOf(name) };
    await new Upload({ client: this.#client, params, partSize: partBytes, queueSize: 2, leavePartsOnError: false }).done();
    const { ContentLength } = await this.#client.send(new HeadObjectCommand(this.#object(name)));
    if (ContentLength !== sizeBytes) throw new Error(`the store reports ${ContentLength ?? 'no'} bytes of ${sizeBytes}`);
  }

  async #read(name: string, range?: { first: number; last: number }): Promise<Readable> {
    const Range = range && `bytes=${range.first}-${range.last}`;
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ ...this.#object(name), ...(Range !== undefined && { Range }) }));
      return Body as Readable;
    } catch (error) {
      throw isMissing(error) ? Object.assign(new Error('the object no longer exists'), { code: 'ENOENT' }) : error;
    }
  }

  #object(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#location.bucket, Key: `${this.#location.prefix}${name}` };
  }
}

function reasonOf(error: unknown): string {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  if (status === 404) return 'it does not exist';
  if (status === 403) return 'access is denied to the credentials of this host';
  return status === undefined ? String(error instanceof Error ? error.message || error.name : error) : `the store answered ${status}`;
}
