import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DeleteObjectsCommand, GetObjectCommand, HeadObjectCommand, PutObjectCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { BucketConfig } from '../config/index.js';
import type { ObjectStore } from './object-store.js';
import { createS3Client, isMissing } from './s3-client.js';

/** Larger files are uploaded in multiple parts. */
const singleUploadMaxBytes = 16 * 1024 * 1024;
const digestName = 'sha256';

/** An object store in a bucket, with SHA-256 digests in the objects' metadata. */
export class S3ObjectStore implements ObjectStore {
  readonly #client: S3Client;
  readonly #location: BucketConfig;

  constructor(location: BucketConfig) {
    this.#client = createS3Client(location);
    this.#location = location;
  }

  async upload(name: string, path: string): Promise<void> {
    const { size } = await stat(path);
    const params = { ...this.#object(name), Metadata: { [digestName]: await digestOf(createReadStream(path)) } };
    if (size <= singleUploadMaxBytes) await this.#client.send(new PutObjectCommand({ ...params, Body: await readFile(path) }));
    else await new Upload({ client: this.#client, params: { ...params, Body: createReadStream(path) }, queueSize: 2, leavePartsOnError: false }).done();
  }

  async putText(name: string, text: string): Promise<void> {
    await this.#client.send(new PutObjectCommand({ ...this.#object(name), Body: text, ContentType: 'application/json' }));
  }

  async has(name: string): Promise<boolean> {
    try {
      await this.#client.send(new HeadObjectCommand(this.#object(name)));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async download(name: string, path: string): Promise<number | undefined> {
    const found = await this.#get(name);
    if (found === undefined) return undefined;
    const hash = createHash('sha256');
    let bytes = 0;
    const seen = async function* (chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    };
    await pipeline(found.body, seen, createWriteStream(path, { mode: 0o600 }));
    if (found.digest === undefined || found.digest === hash.digest('hex')) return bytes;
    await rm(path, { force: true });
    throw new Error(`the object ${name} is damaged: its SHA-256 digest does not match`);
  }

  async getText(name: string): Promise<string | undefined> {
    const found = await this.#get(name);
    if (found === undefined) return undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of found.body) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  }

  async deletePrefix(start: string): Promise<void> {
    const { bucket, prefix } = this.#location;
    for await (const { Contents = [] } of paginateListObjectsV2({ client: this.#client }, { Bucket: bucket, Prefix: `${prefix}${start}` })) {
      const Objects = Contents.map(({ Key }) => ({ Key: Key ?? '' }));
      if (Objects.length > 0) await this.#client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }));
    }
  }

  async #get(name: string): Promise<{ body: Readable; digest: string | undefined } | undefined> {
    try {
      const { Body, Metadata } = await this.#client.send(new GetObjectCommand(this.#object(name)));
      return { body: Body as Readable, digest: Metadata?.[digestName] };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  #object(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#location.bucket, Key: `${this.#location.prefix}${name}` };
  }
}

async function digestOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}
