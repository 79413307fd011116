import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { BucketConfig } from '../config/index.js';

/** Creates a client. Credentials come from the AWS SDK's default provider chain. */
export function createS3Client(location: BucketConfig): S3Client {
  return new S3Client({
    region: location.region,
    ...(location.endpoint !== undefined && { endpoint: location.endpoint, forcePathStyle: true }),
    // The SDK's default writes checksum trailers into objects on stores that do not support them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5000, socketTimeout: 30_000 },
  });
}

/** Whether an S3 error means that the object does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;
}
