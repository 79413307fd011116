import { RefusedConnection } from './connect.js';
import { undici } from './undici.js';
import { SocketFailure } from './web-socket.js';

/** A download that one of our own limits ended. */
export class StoppedDownload extends Error {}

/** An answer that is no file. The message stands after the URL. */
export class Refusal extends Error {
  /** Asking again soon may help. */
  readonly transient: boolean;

  constructor(message: string, transient = false) {
    super(message);
    this.transient = transient;
  }
}

/** A URL that the rules refuse by its text. The message stands after the URL. */
export class RefusedUrl extends Refusal {}

/** Whether the rules on addresses are what ended it. */
export function isBlocked(error: unknown): boolean {
  if (error instanceof RefusedUrl || error instanceof RefusedConnection) return true;
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

export function isTransient(error: unknown): boolean {
  return error instanceof Refusal ? error.transient : transientCodes.has(codeOf(error) ?? '');
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

/** What a source did wrong, to stand after its URL; undefined when the fault is ours (disk full, a bug). */
export function failureText(error: unknown): string | undefined {
  if (error instanceof SocketFailure) return (codeOf(error.cause) === undefined ? undefined : failureText(error.cause)) ?? error.message;
  if (error instanceof StoppedDownload || error instanceof RefusedConnection || error instanceof Refusal) return error.message;
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
