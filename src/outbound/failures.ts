import { RefusedConnectionError } from './connect.js';
import { undici } from './undici.js';
import { WebSocketError } from './web-socket.js';

/** A limit of the download was exceeded. The message is a predicate of the URL. */
export class DownloadLimitError extends Error {}

/** The source did not send a usable file. The message is a predicate of the URL. */
export class SourceError extends Error {
  /** A retry may succeed. */
  readonly transient: boolean;

  constructor(message: string, transient = false) {
    super(message);
    this.transient = transient;
  }
}

/** The URL policy refuses the URL itself. */
export class RefusedUrlError extends SourceError {}

/** True when the URL or address policy caused the error. */
export function isBlocked(error: unknown): boolean {
  if (error instanceof RefusedUrlError || error instanceof RefusedConnectionError) return true;
  return error instanceof Error && error.cause !== undefined && isBlocked(error.cause);
}

const transientCodes: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);

/** True when a retry may succeed. */
export function isTransient(error: unknown): boolean {
  return error instanceof SourceError ? error.transient : transientCodes.has(codeOf(error) ?? '');
}

const byCode: Readonly<Record<string, string>> = {
  ENOTFOUND: 'has a host name that does not exist',
  EAI_AGAIN: 'has a host name that could not be looked up',
  ENODATA: 'has a host name without an address',
  ECONNREFUSED: 'refused the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ETIMEDOUT: 'did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'did not answer in time',
  ECONNRESET: 'broke off the connection',
  EPIPE: 'broke off the connection',
  UND_ERR_SOCKET: 'broke off the connection',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'broke off the connection',
  UND_ERR_HEADERS_OVERFLOW: 'answered with too many headers',
};

/** The fault of a remote host as a predicate of its URL; undefined for local faults such as a full disk. */
export function failureText(error: unknown): string | undefined {
  if (error instanceof WebSocketError) return (codeOf(error.cause) === undefined ? undefined : failureText(error.cause)) ?? error.message;
  if (error instanceof DownloadLimitError || error instanceof RefusedConnectionError || error instanceof SourceError) return error.message;
  if (error instanceof undici().errors.HTTPParserError) return 'did not answer with valid HTTP';
  const code = codeOf(error);
  if (code === undefined) return undefined;
  const known = byCode[code];
  if (known !== undefined) return known;
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return 'has no certificate that can be trusted';
  return code.startsWith('UND_ERR_') ? 'could not be fetched' : undefined;
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  return code ?? codeOf(error.cause);
}
