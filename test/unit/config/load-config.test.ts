import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ConfigError, type EnvironmentValues, loadConfig } from '../../../src/config/index.js';

describe('loadConfig', () => {
  it('has a default for every setting', () => {
    const config = loadConfig({});
    expect(config.http).toEqual({ host: '127.0.0.1', port: 8080, publicUrl: undefined, trustedProxies: [] });
    expect(config.storage.dataDir).toBe(`${process.cwd()}/data`);
    expect(config.db).toEqual({ path: `${process.cwd()}/data/framewright.db` });
    expect(config.engine).toEqual({ encoder: 'auto', compositor: 'auto', interop: 'auto', hardwareDecode: 'auto', copies: true, maxParallelSegments: 'auto' });
    expect(config.outbound.allowPrivateHosts).toEqual([]);
    expect(config.cache).toEqual({
      segmentsDir: `${process.cwd()}/data/cache/segments`,
      maxSegmentBytes: 4096e6,
      commandLineDir: undefined,
    });
    expect(config.jobs.workers).toBe(1);
  });

  it('puts the cache of the command line into the cache folder unless a folder of the service is configured', () => {
    const folderOf = (environment: EnvironmentValues) => loadConfig(environment).cache.commandLineDir;
    expect(folderOf({ HOME: '/home/ann' })).toBe('/home/ann/.cache/framewright');
    expect(folderOf({ HOME: '/home/ann', XDG_CACHE_HOME: '/var/cache/ann' })).toBe('/var/cache/ann/framewright');
    expect(folderOf({ HOME: '/home/ann', FRAMEWRIGHT_DATA_DIR: '/srv/films' })).toBe('/srv/films/cache');
    expect(folderOf({ HOME: '/home/ann', FRAMEWRIGHT_DATA_DIR: '/srv/films', FRAMEWRIGHT_CACHE_DIR: '/srv/cache' })).toBe('/srv/cache');
  });

  it('reads all settings and treats empty values as unset', () => {
    const config = loadConfig({
      HOST: '::1',
      PORT: '0',
      FRAMEWRIGHT_DATA_DIR: '/srv/films',
      FRAMEWRIGHT_PUBLIC_URL: 'https://films.example.org/render/',
      FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: ' Media.internal , 10.0.0.0/8,127.0.0.1:9000,[::1]:9000, ',
      FRAMEWRIGHT_WORKERS: '0',
      FRAMEWRIGHT_ENCODER: 'libx264',
      FRAMEWRIGHT_COMPOSITOR: 'vulkan',
      FRAMEWRIGHT_INTEROP: 'off',
      FRAMEWRIGHT_HARDWARE_DECODE: 'on',
      FRAMEWRIGHT_COPY: 'off',
      FRAMEWRIGHT_SEGMENTS_AT_ONCE: '3',
      REDIS_URL: '',
      DATABASE_URL: 'file:/srv/films.db',
    });
    expect(config.http).toEqual({ host: '::1', port: 0, publicUrl: 'https://films.example.org/render', trustedProxies: [] });
    expect(config.storage).toEqual({ dataDir: '/srv/films', outputsDir: '/srv/films/outputs', workDir: '/srv/films/work', bucket: undefined });
    expect(config.db).toEqual({ path: '/srv/films.db' });
    expect(config.outbound.allowPrivateHosts).toEqual(['media.internal', '10.0.0.0/8', '127.0.0.1:9000', '[::1]:9000']);
    expect(config.jobs.workers).toBe(0);
    expect(config.engine).toEqual({ encoder: 'libx264', compositor: 'vulkan', interop: 'off', hardwareDecode: 'on', copies: false, maxParallelSegments: 3 });
    expect(config.sandbox.maxParallelSegments).toBe(3);
  });

  it('accepts a renamed variable with a deprecation warning and passes only its new name on', async () => {
    const oldName = 'FRAMEWRIGHT_HANDOVER';
    const warned = once(process, 'warning') as Promise<Error[]>;
    const config = loadConfig({ [oldName]: 'off' });
    expect(config.engine.interop).toBe('off');
    expect(config.jobs.workerEnvironment).toEqual({ FRAMEWRIGHT_INTEROP: 'off' });
    expect((await warned)[0]?.message).toBe(`The environment variable ${oldName} is deprecated. Set FRAMEWRIGHT_INTEROP instead.`);
    for (const interop of ['auto', 'copy']) expect(loadConfig({ [oldName]: 'off', FRAMEWRIGHT_INTEROP: interop }).engine.interop).toBe(interop);
  });

  it.each(['postgres', 'postgresql'])('accepts a %s database URL', (scheme) => {
    const url = `${scheme}://films:secret@db.example.org:5433/films?sslmode=require`;
    expect(loadConfig({ DATABASE_URL: url }).db).toEqual({ url });
  });

  it.each([
    ['s3://films', {}, { prefix: '', region: 'us-east-1', endpoint: undefined }],
    ['s3://films/of/acme', { AWS_REGION: 'eu-central-1' }, { prefix: 'of/acme/', region: 'eu-central-1', endpoint: undefined }],
    ['s3://films/of/', { AWS_ENDPOINT_URL_S3: 'http://minio:9000' }, { prefix: 'of/', region: 'us-east-1', endpoint: 'http://minio:9000' }],
  ])('parses the bucket %s with %o', (target, values, expected) => {
    expect(loadConfig({ FRAMEWRIGHT_STORAGE: target, ...values }).storage.bucket).toEqual({ bucket: 'films', ...expected });
  });

  it('freezes all sections', () => {
    const config = loadConfig({});
    for (const section of [config, ...Object.values(config)]) expect(Object.isFrozen(section)).toBe(true);
    expect(Object.isFrozen(config.outbound.allowPrivateHosts)).toBe(true);
  });

  const wrong: Array<[EnvironmentValues, string]> = [
    [{ PORT: '65536' }, 'PORT: "65536" is not a whole number from 0 to 65535'],
    [{ PORT: '80.5' }, 'PORT: "80.5" is not'],
    [{ PORT: '-1' }, 'PORT: "-1" is not'],
    [{ PORT: '0x50' }, 'PORT: "0x50" is not'],
    [{ FRAMEWRIGHT_METRICS_PORT: 'yes' }, 'FRAMEWRIGHT_METRICS_PORT: "yes" is not a whole number from 0 to 65535'],
    [{ HOST: 'http://x' }, 'HOST: "http://x" is not an IP address or a host name'],
    [{ HOST: '127.0.0.1:80' }, 'HOST: '],
    [{ FRAMEWRIGHT_PUBLIC_URL: 'films.example.org' }, 'FRAMEWRIGHT_PUBLIC_URL: '],
    [{ FRAMEWRIGHT_PUBLIC_URL: 'ftp://films.example.org' }, 'http:// or https://'],
    [{ FRAMEWRIGHT_PUBLIC_URL: 'https://a:b@films.example.org' }, 'no user'],
    [{ FRAMEWRIGHT_WORKERS: 'many' }, 'FRAMEWRIGHT_WORKERS: "many" is not a whole number from 0 to 256'],
    [{ FRAMEWRIGHT_COMPOSITOR: 'gpu' }, 'FRAMEWRIGHT_COMPOSITOR: "gpu" is not one of auto, cpu, vulkan'],
    [
      { FRAMEWRIGHT_ENCODER: 'x 264' },
      'FRAMEWRIGHT_ENCODER: "x 264" is not one of auto, software, nvenc, vaapi, libx264, libx265, libsvtav1, h264_nvenc, hevc_nvenc, av1_nvenc, h264_vaapi, hevc_vaapi, av1_vaapi',
    ],
    [{ FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: 'ok.internal,http://10.0.0.1' }, '"http://10.0.0.1" is not a host, host:port or CIDR'],
    [{ FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '10.0.0.0/33' }, 'CIDR'],
    [{ FRAMEWRIGHT_TRUSTED_PROXIES: 'proxy.example.org' }, '"proxy.example.org" is not an IP address or CIDR network'],
    [{ FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '10/8' }, 'CIDR'],
    [{ FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: 'fd00::/129' }, 'CIDR'],
    [{ FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: 'a:70000' }, 'FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '],
    [{ FRAMEWRIGHT_STORAGE: 'https://bucket/films' }, 'FRAMEWRIGHT_STORAGE: "https://bucket/films" is not a bucket'],
    [{ FRAMEWRIGHT_STORAGE: 's3://B/films' }, 'FRAMEWRIGHT_STORAGE: "s3://B/films" is not a bucket'],
    [{ FRAMEWRIGHT_STORAGE: 's3://films/../x' }, 'FRAMEWRIGHT_STORAGE: '],
    [{ FRAMEWRIGHT_STORAGE: 's3://films', AWS_ENDPOINT_URL: 'minio:9000' }, 'AWS_ENDPOINT_URL_S3: "minio:9000" is not an http'],
    [{ REDIS_URL: 'http://:secret@localhost' }, 'REDIS_URL: not the address of a Redis server'],
    [{ DATABASE_URL: 'mysql://films:secret@db/films' }, 'DATABASE_URL: mysql:// databases cannot be used'],
    [{ DATABASE_URL: 'postgres://films:secret@db' }, 'DATABASE_URL: not the address of a database'],
    [{ DATABASE_URL: 'postgres://films:secret@[db/films' }, 'DATABASE_URL: not the address of a database'],
    [{ DATABASE_URL: 'films.db' }, 'DATABASE_URL: '],
    [{ DATABASE_URL: 'file://elsewhere/films.db' }, 'DATABASE_URL: '],
  ];
  it.each(wrong)('rejects %o with a message of one line', (values, text) => {
    const error = caught(values);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toContain(text);
    expect(error.message).not.toContain('\n');
    expect(error.message).not.toContain('secret');
  });

  it('passes no secrets to render processes', () => {
    const { workerEnvironment } = loadConfig({
      PATH: '/bin',
      FRAMEWRIGHT_ENCODER: 'auto',
      AWS_SECRET_ACCESS_KEY: 'x',
      DATABASE_URL: 'file:/a.db',
      NODE_OPTIONS: '--inspect',
    }).jobs;
    expect(workerEnvironment).toEqual({ PATH: '/bin', FRAMEWRIGHT_ENCODER: 'auto' });
  });
});

function caught(values: EnvironmentValues): Error {
  try {
    loadConfig(values);
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
