import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';

/** A bucket of an S3-compatible store, and what the names of its objects begin with. */
export interface BucketLocation {
  bucket: string;
  /** Empty, or ends with a slash. */
  prefix: string;
  region: string;
  /** Default: Amazon's for the region. */
  endpoint: string | undefined;
}

/** Keys come from where the AWS client looks for them. */
export function createS3Client(place: BucketLocation): S3Client {
  return new S3Client({
    region: place.region,
    ...(place.endpoint !== undefined && { endpoint: place.endpoint, forcePathStyle: true }),
    // The default writes checksum trailers into the objects of stores that do not know them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5000, socketTimeout: 30_000 },
  });
}

export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;
}
