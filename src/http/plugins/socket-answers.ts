import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { RateLimiter } from '../../accounts/index.js';
import { describeError, toAppError } from '../error-body.js';
import { Refusal } from '../refusal.js';
import { countAddress, rateHeaders } from './admission.js';

/** Answers that are written on a connection itself, because there is no request to answer: bytes that are none, and CONNECT. */
export class SocketAnswers {
  readonly #limiter: RateLimiter;
  /** The newest request of each connection. */
  readonly #newest = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();

  constructor(limiter: RateLimiter) {
    this.#limiter = limiter;
  }

  watch(server: Server): void {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#newest.set(request.socket, { request, response }));
    server.on('connect', (_request: IncomingMessage, socket: Socket) => this.#answer(new Refusal(405, { message: 'CONNECT is not possible here.' }), socket));
  }

  /** For bytes that the parser refuses, and requests that do not go on. */
  readonly onClientError = (thrown: Error, socket: Socket): void => {
    const newest = this.#newest.get(socket);
    const isPending = newest !== undefined && !newest.response.writableFinished;
    if (newest?.response.headersSent && (isPending || !newest.request.complete)) {
      // Answered before all of it came: a second answer would be taken for that to the next request.
      socket.destroy();
    } else if (isPending && newest.request.complete) {
      // What is wrong stands behind it. Its own answer comes, and is the last.
      newest.response.setHeader('Connection', 'close');
    } else if ((thrown as NodeJS.ErrnoException).code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
    } else this.#answer(thrown, socket);
  };

  #answer(thrown: Error, socket: Socket): void {
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
