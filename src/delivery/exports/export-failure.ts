import { failureText, RefusedConnection, shownUrl } from '../../outbound/index.js';
import type { ExportTarget } from './target.js';

/**
 * A delivery that did not succeed; the message stands after the target's name. What deliverExport throws is worded: it may be shown to the script's author. Errors of client libraries are
 * never attached: they can hold requests with their credentials.
 */
export class ExportFailure extends Error {
  readonly retryable: boolean;

  constructor(message: string, retryable: boolean) {
    super(message);
    this.name = 'ExportFailure';
    this.retryable = retryable;
  }
}

/** A failure that another try will not mend. */
export const permanent = (message: string): ExportFailure => new ExportFailure(message, false);

/** A failure that may have passed at the next try. */
export const transient = (message: string): ExportFailure => new ExportFailure(message, true);

/** What stands before the reason in a message. */
export function labelOf(target: ExportTarget): string {
  switch (target.type) {
    case 's3':
      return target.endpoint === undefined ? `Amazon S3 in ${target.region}` : new URL(target.endpoint).host;
    case 'ftp':
    case 'sftp':
      return `${target.host}:${target.port}`;
    case 'email':
      return 'The mail server';
    case 'youtube':
      return 'YouTube';
    case 'webhook':
      return new URL(shownUrl(target.endpoint)).host;
  }
}

/** A failure whose message is a whole sentence without secrets. */
class PublicExportFailure extends ExportFailure {}

/** Any error of a delivery, worded for the script's author. */
export function toExportFailure(error: unknown, target: ExportTarget): ExportFailure {
  if (error instanceof PublicExportFailure) return error;
  const [reason, retryable] = reasonOf(error);
  return new PublicExportFailure(`${withoutSecrets(`${labelOf(target)} ${reason}`, target)}.`, retryable);
}

function reasonOf(error: unknown): [reason: string, retryable: boolean] {
  if (error instanceof ExportFailure) return [error.message, error.retryable];
  if (error instanceof RefusedConnection) return [error.message, false];
  const known = failureText(error);
  return known === undefined ? ['could not be reached or broke off', true] : [known, true];
}

/** A server's own words, fit for a message: one short line. */
export function quoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  const line = text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').trim();
  return line.length > 160 ? `${line.slice(0, 157)}...` : line;
}

function withoutSecrets(text: string, target: ExportTarget): string {
  let clean = text;
  for (const secret of secretsOf(target)) {
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) clean = clean.replaceAll(form, '***');
  }
  return clean;
}

function secretsOf(target: ExportTarget): string[] {
  const secrets = ((): Array<string | undefined> => {
    switch (target.type) {
      case 's3':
        return [target.secretAccessKey, target.sessionToken, target.accessKeyId];
      case 'ftp':
        return [target.password];
      case 'sftp':
        return [target.password, target.passphrase, target.privateKey];
      case 'youtube':
        return 'accessToken' in target.access ? [target.access.accessToken] : [target.access.refreshToken, target.access.clientSecret];
      case 'email':
      case 'webhook':
        return [];
    }
  })();
  // A secret of one or two letters would tear every word apart, and is none.
  return secrets.filter((secret) => secret !== undefined && secret.length > 2) as string[];
}
