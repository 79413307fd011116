import type { Caller } from '../accounts/index.js';
import type { PublicErrorCode } from '../contract/index.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null without a valid key; only public routes are reached then. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** The route requires no API key. */
    public?: boolean;
    /** Requests are counted, but never rejected with 429. */
    unlimited?: boolean;
    /** Requests per minute and account, counted separately from the limit of the plan. */
    ownLimit?: { name: string; perMinute: number };
    /** The key is also accepted as query parameter `apiKey`, since EventSource in browsers cannot set headers. */
    keyInQuery?: boolean;
    /** Error code for a JSON body that exceeds the limits; default: INVALID_REQUEST. */
    bodyErrorCode?: PublicErrorCode;
  }
}
