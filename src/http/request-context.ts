import type { Caller } from '../accounts/index.js';
import type { PublicErrorCode } from '../errors/index.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null without a valid key; routes that need one are never reached then. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** Needs no key. */
    public?: boolean;
    /** Counted and told, but never refused with 429. */
    unlimited?: boolean;
    /** Requests of an account are counted apart from the others of its plan, and this many are allowed in a minute. */
    ownLimit?: { name: string; perMinute: number };
    /** The key may come as the query parameter `apiKey`: browsers' event sources can not set headers. */
    keyInQuery?: boolean;
    /** How this route calls a body that is JSON but not what it expects. */
    bodyErrorCode?: PublicErrorCode;
  }
}
