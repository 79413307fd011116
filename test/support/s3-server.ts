import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

/** An S3-compatible server with one empty bucket. */
export interface S3Server {
  /** Environment variables that point a service or the AWS client to it. */
  environment: Record<string, string>;
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
    ({ port } = await server.run());
  };
  await start();
  return {
    environment: { AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`, AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
    stop: () => server.close(),
    start,
    async remove() {
      await server.close().catch(() => {});
      await rm(directory, { recursive: true, force: true });
    },
  };
}
