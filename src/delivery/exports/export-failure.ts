import { failureText, RefusedConnectionError, redactUrl } from '../../outbound/index.js';
import type { ExportTarget } from './target.js';

/**
 * A failed delivery attempt. The message follows the target's label in a sentence. The errors that `deliverExport` throws are
 * full sentences and safe to show to the script's author. Client library errors are never attached: they may contain credentials.
 */
export class ExportFailure extends Error {
  readonly retryable: boolean;

  constructor(message: string, retryable: boolean) {
    super(message);
    this.name = 'ExportFailure';
    this.retryable = retryable;
  }
}

/** Creates a failure that is not retried. */
export const permanent = (message: string): ExportFailure => new ExportFailure(message, false);

/** Creates a failure that is retried. */
export const transient = (message: string): ExportFailure => new ExportFailure(message, true);

/** The subject of a failure message: the target's host or service name. */
export function targetLabel(target: ExportTarget): string {
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
      return new URL(redactUrl(target.endpoint)).host;
  }
}

/** A failure whose message is a whole sentence without secrets. */
class PublicExportFailure extends ExportFailure {}

/** Converts any delivery error into a sentence for the script's author, without secrets. */
export function toExportFailure(error: unknown, target: ExportTarget): ExportFailure {
  if (error instanceof PublicExportFailure) return error;
  const [reason, retryable] = reasonOf(error);
  return new PublicExportFailure(`${withoutSecrets(`${targetLabel(target)} ${reason}`, target)}.`, retryable);
}

function reasonOf(error: unknown): [reason: string, retryable: boolean] {
  if (error instanceof ExportFailure) return [error.message, error.retryable];
  if (error instanceof RefusedConnectionError) return [error.message, false];
  const known = failureText(error);
  return known === undefined ? ['could not be reached or broke off the connection', true] : [known, true];
}

/** Reduces a server's response text to one line of at most 160 characters without control characters. */
export function sanitizeText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
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
  // Masking a secret of one or two characters would garble the whole message.
  return secrets.filter((secret) => secret !== undefined && secret.length > 2) as string[];
}
