import type * as Contract from '../contract/index.js';
import type { FinishedOutput } from './job.js';

/** A finished output as the API and webhooks show it. */
export function viewOutput(
  { name, format, file, sizeBytes, width, height, durationSeconds, mimeType, sha256 }: FinishedOutput,
  outputUri: (file: string) => string,
): Contract.JobOutput {
  return {
    name,
    format,
    uri: outputUri(file),
    file_size_bytes: sizeBytes,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(durationSeconds !== undefined && { duration_seconds: durationSeconds }),
    mime_type: mimeType,
    sha256,
  };
}
