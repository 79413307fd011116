import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { S3Client } from '@aws-sdk/client-s3';
import S3rver from 's3rver';

/** An S3-compatible server with one empty bucket. */
export interface S3Server {
  /** Environment variables that point a service or the AWS client to it. */
  environment: Record<string, string>;
  /** Creates a client for it; the caller destroys it. */
  createClient(): S3Client;
  stop(): Promise<void>;
  /** Starts it again with the same objects on the same port. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'framewright-s3-'));
  let port = 0;
  let server: S3rver;
  const start = async (): Promise<void> => {
    server = new S3rver({ port, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: 'films', configs: [] }] });
    storeAtomically(server);
    ({ port } = await server.run());
  };
  await start();
  return {
    environment: { AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`, AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
    createClient: () =>
      new S3Client({
        endpoint: `http://127.0.0.1:${port}`,
        forcePathStyle: true,
        region: 'us-east-1',
        credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
      }),
    stop: () => server.close(),
    start,
    async remove() {
      await server.close().catch(() => {});
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** As with S3, an upload that breaks off leaves no object; s3rver itself would write what has arrived. */
function storeAtomically({ store }: S3rver): void {
  const putObject = store.putObject.bind(store);
  store.putObject = async (object) => {
    if (!Buffer.isBuffer(object.content)) object.content = await buffer(object.content);
    return putObject(object);
  };
}
