import { join, resolve } from 'node:path';
import { ConfigError, type Environment } from './environment.js';

/** A bucket of an S3-compatible store. */
export interface BucketConfig {
  bucket: string;
  /** What names of objects begin with: empty, or ends with a slash. */
  prefix: string;
  region: string;
  /** undefined: Amazon's for the region. */
  endpoint: string | undefined;
}

export interface StorageConfig {
  /** Absolute. Everything that the service keeps lies below it. */
  dataDir: string;
  /** Finished files; with a bucket those that are on their way there. */
  outputsDir: string;
  bucket: BucketConfig | undefined;
  /** One folder per attempt, gone afterwards. */
  workDir: string;
}

export function parseStorageConfig(environment: Environment): StorageConfig {
  const dataDir = resolve(environment.text('FRAMEWRIGHT_DATA_DIR') ?? './data');
  return Object.freeze({ dataDir, outputsDir: join(dataDir, 'outputs'), workDir: join(dataDir, 'work'), bucket: parseBucket(environment) });
}

/** Region and endpoint are those of every AWS client, as are the keys, which are not read here. */
function parseBucket(environment: Environment): BucketConfig | undefined {
  const target = environment.text('FRAMEWRIGHT_STORAGE');
  if (target === undefined) return undefined;
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9!_.*'()/-]*))?$/.exec(target) ?? [];
  if (bucket === undefined || prefix.startsWith('/') || prefix.includes('..')) {
    throw new ConfigError('FRAMEWRIGHT_STORAGE', `"${target}" is no place for films: leave it unset for FRAMEWRIGHT_DATA_DIR, or give s3://bucket/prefix`);
  }
  const endpoint = environment.text('AWS_ENDPOINT_URL_S3') ?? environment.text('AWS_ENDPOINT_URL');
  if (endpoint !== undefined && !/^https?:$/.test(URL.canParse(endpoint) ? new URL(endpoint).protocol : '')) {
    throw new ConfigError('AWS_ENDPOINT_URL_S3', `"${endpoint}" is not an address: http(s)://host:port of the S3-compatible store`);
  }
  return Object.freeze({
    bucket,
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
    region: environment.text('AWS_REGION') ?? environment.text('AWS_DEFAULT_REGION') ?? 'us-east-1',
    endpoint,
  });
}
