import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { RateLimiter } from '../../accounts/index.js';
import { describeError, HttpError, toAppError } from '../error-body.js';
import { countAddress, rateHeaders } from './admission.js';

/** Writes error responses to the socket itself where there is no request object: for malformed bytes and for CONNECT. */
export class SocketResponder {
  readonly #limiter: RateLimiter;
  /** The latest request of each connection. */
  readonly #latest = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();

  constructor(limiter: RateLimiter) {
    this.#limiter = limiter;
  }

  watch(server: Server): void {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#latest.set(request.socket, { request, response }));
    server.on('connect', (_request: IncomingMessage, socket: Socket) => this.#respond(new HttpError(405, { message: 'CONNECT is not allowed here.' }), socket));
  }

  /** For bytes that the HTTP parser rejects, and for requests that stall. */
  readonly onClientError = (thrown: Error, socket: Socket): void => {
    const latest = this.#latest.get(socket);
    const isPending = latest !== undefined && !latest.response.writableFinished;
    if (latest?.response.headersSent && (isPending || !latest.request.complete)) {
      // The response preceded the rest of the request: a second one would be read as the response to the next request.
      socket.destroy();
    } else if (isPending && latest.request.complete) {
      // The error follows a complete request, whose own response is sent last.
      latest.response.setHeader('Connection', 'close');
    } else if ((thrown as NodeJS.ErrnoException).code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
    } else this.#respond(thrown, socket);
  };

  #respond(thrown: Error, socket: Socket): void {
    const error = toAppError(thrown);
    const body = JSON.stringify(describeError(error));
    const headers = {
      ...rateHeaders(countAddress(this.#limiter, socket.remoteAddress)),
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Content-Type-Options': 'nosniff',
      Connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  }
}
