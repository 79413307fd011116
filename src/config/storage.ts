import { join, resolve } from 'node:path';
import { ConfigError, type Environment } from './environment.js';

/** A bucket of an S3-compatible store and the prefix of its object keys. */
export interface BucketConfig {
  bucket: string;
  /** Empty or ending with a slash. */
  prefix: string;
  region: string;
  /** Default: Amazon S3 in the region. */
  endpoint: string | undefined;
}

/** Where the service stores its data, and the bucket of finished files. */
export interface StorageConfig {
  /** Absolute path of the folder that contains all data of the service. */
  dataDir: string;
  /** Finished files; with a bucket, files waiting for upload. */
  outputsDir: string;
  bucket: BucketConfig | undefined;
  /** Contains one temporary folder per render attempt. */
  workDir: string;
}

/** The cache of encoded packets and drawn sprites. */
export interface CacheConfig {
  /** Absolute path of the service's cache of encoded packets. */
  segmentsDir: string;
  /** 0 disables the cache. */
  maxSegmentBytes: number;
  /** Absolute path of the cache of the command line; undefined if neither a folder is configured nor the user has a home. */
  commandLineDir: string | undefined;
}

/** When finished files are deleted and when renders are postponed. */
export interface RetentionConfig {
  /** Age at which finished files are deleted, in ms; undefined: never. */
  outputMs: number | undefined;
  /** Age at which files and scripts of sandbox jobs are deleted, in ms. */
  sandboxMs: number;
  /** Maximum bytes of the scripts and finished files of an account's sandbox jobs; undefined: no limit. */
  sandboxQuotaBytes: number | undefined;
  /** No render starts while less disk space is free; 0: no limit. */
  minFreeBytes: number;
}

export function parseStorageConfig(environment: Environment): StorageConfig {
  const dataDir = resolve(environment.text('FRAMEWRIGHT_DATA_DIR') ?? './data');
  return Object.freeze({ dataDir, outputsDir: join(dataDir, 'outputs'), workDir: join(dataDir, 'work'), bucket: parseBucket(environment) });
}

/** Region and endpoint have the same variables as in every AWS client. Credentials are read by the AWS SDK. */
function parseBucket(environment: Environment): BucketConfig | undefined {
  const target = environment.text('FRAMEWRIGHT_STORAGE');
  if (target === undefined) return undefined;
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9!_.*'()/-]*))?$/.exec(target) ?? [];
  if (bucket === undefined || prefix.startsWith('/') || prefix.includes('..')) {
    throw new ConfigError(
      'FRAMEWRIGHT_STORAGE',
      `"${target}" is not a bucket. Use s3://bucket/prefix, or leave it unset to store files in FRAMEWRIGHT_DATA_DIR`,
    );
  }
  const endpoint = environment.text('AWS_ENDPOINT_URL_S3') ?? environment.text('AWS_ENDPOINT_URL');
  if (endpoint !== undefined && !/^https?:$/.test(URL.canParse(endpoint) ? new URL(endpoint).protocol : '')) {
    throw new ConfigError('AWS_ENDPOINT_URL_S3', `"${endpoint}" is not an http(s)://host:port address of an S3-compatible store`);
  }
  return Object.freeze({
    bucket,
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
    region: environment.text('AWS_REGION') ?? environment.text('AWS_DEFAULT_REGION') ?? 'us-east-1',
    endpoint,
  });
}

export function parseCacheConfig(environment: Environment, dataDir: string): CacheConfig {
  const named = environment.text('FRAMEWRIGHT_CACHE_DIR');
  const folder = named === undefined ? join(dataDir, 'cache') : resolve(named);
  const isConfigured = (named ?? environment.text('FRAMEWRIGHT_DATA_DIR')) !== undefined;
  const home = environment.text('HOME');
  const userCache = environment.text('XDG_CACHE_HOME') ?? (home === undefined ? undefined : join(home, '.cache'));
  return Object.freeze({
    segmentsDir: join(folder, 'segments'),
    maxSegmentBytes: environment.integer('FRAMEWRIGHT_CACHE_MB', 4096, { min: 0, max: 100_000_000 }) * 1e6,
    commandLineDir: isConfigured ? folder : userCache && join(userCache, 'framewright'),
  });
}

const hourMs = 3_600_000;

export function parseRetentionConfig(environment: Environment): RetentionConfig {
  const name = 'FRAMEWRIGHT_OUTPUT_RETENTION_HOURS';
  return Object.freeze({
    // The minimum of one hour is longer than all webhook retries take, so the files that they name still exist.
    outputMs: environment.text(name) === undefined ? undefined : environment.integer(name, 0, { min: 1, max: 876_000 }) * hourMs,
    sandboxMs: environment.integer('FRAMEWRIGHT_SANDBOX_RETENTION_HOURS', 24, { min: 1, max: 876_000 }) * hourMs,
    sandboxQuotaBytes: environment.integer('FRAMEWRIGHT_SANDBOX_QUOTA_MB', 1024, { min: 0, max: 100_000_000 }) * 1024 ** 2 || undefined,
    minFreeBytes: environment.integer('FRAMEWRIGHT_MIN_FREE_DISK_MB', 1024, { min: 0, max: 100_000_000 }) * 1024 ** 2,
  });
}
