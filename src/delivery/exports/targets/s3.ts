import { createReadStream } from 'node:fs';
import { HeadObjectCommand, type ObjectCannedACL, S3Client, S3ServiceException, type StorageClass } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { createAgents } from '../../../outbound/index.js';
import type { DeliveryContext, ExportFile } from '../delivery.js';
import { ExportFailure, transient } from '../export-failure.js';
import type { S3Target } from '../target.js';

const PART_BYTES = 8 * 1024 * 1024;

/** Uploads a file to an S3 bucket and checks its size; returns its `s3://` URI. */
export async function deliverS3(target: S3Target, delivery: DeliveryContext): Promise<string> {
  const { file, signal } = delivery;
  const object = { Bucket: target.bucket, Key: objectKey(target, file) };
  const client = openClient(target, delivery);
  try {
    const upload = new Upload({
      client,
      params: {
        ...object,
        Body: createReadStream(file.path),
        ContentType: file.mimeType,
        ...(target.acl === undefined ? {} : { ACL: target.acl as ObjectCannedACL }),
        ...(target.storageClass === undefined ? {} : { StorageClass: target.storageClass as StorageClass }),
      },
      partSize: PART_BYTES,
      queueSize: 2,
      leavePartsOnError: false,
    });
    signal.addEventListener('abort', () => void upload.abort(), { once: true });
    await upload.done();
    await checkSize(client, object, file.sizeBytes);
    return `s3://${object.Bucket}/${object.Key}`;
  } catch (error) {
    throw toFailure(error);
  } finally {
    client.destroy();
  }
}

function objectKey({ key, prefix = '' }: S3Target, file: ExportFile): string {
  const name = key ?? `${prefix}${prefix === '' || prefix.endsWith('/') ? '' : '/'}${file.name}`;
  return name.replace(/^\/+/, '');
}

function openClient(target: S3Target, { options, idleMs }: DeliveryContext): S3Client {
  const agents = createAgents(options.outbound.connect);
  return new S3Client({
    region: target.region,
    endpoint: target.endpoint ?? amazonEndpoint(target.region),
    forcePathStyle: target.pathStyle,
    credentials: {
      accessKeyId: target.accessKeyId,
      secretAccessKey: target.secretAccessKey,
      ...(target.sessionToken === undefined ? {} : { sessionToken: target.sessionToken }),
    },
    // The SDK's default writes checksum trailers into objects on stores that do not support them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: { httpAgent: agents.http, httpsAgent: agents.https, connectionTimeout: idleMs, socketTimeout: idleMs },
  });
}

/** Always set explicitly, so that AWS settings of this machine cannot redirect the upload. */
function amazonEndpoint(region: string): string {
  return `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

async function checkSize(client: S3Client, place: { Bucket: string; Key: string }, sizeBytes: number): Promise<void> {
  let stored: number | undefined;
  try {
    stored = (await client.send(new HeadObjectCommand(place))).ContentLength;
  } catch (error) {
    // Write-only keys are common.
    if (statusOf(error) === 403) return;
    throw error;
  }
  if (stored !== sizeBytes) throw transient(`stored ${stored ?? 'no'} bytes of ${sizeBytes}`);
}

function toFailure(error: unknown): unknown {
  const status = statusOf(error);
  if (status === undefined) return isTimeout(error) ? transient('did not answer in time') : error;
  const name = error instanceof Error && /^\w{1,60}$/.test(error.name) ? ` ${error.name}` : '';
  return new ExportFailure(`answered ${status}${name}`, status >= 500 || status === 408 || status === 429);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}
