import { isBlocked } from './failures.js';
import type { Outbound } from './outbound.js';

export interface OutboundWatch {
  /** An address that may not be reached was to be reached. */
  blocked: () => void;
  /** A download has ended; `bytes` are those that arrived. Not told of those that were cancelled. */
  fetched?: (result: 'ok' | 'blocked' | 'failed', bytes: number) => void;
}

/** The same door, telling what goes through it. */
export function watchOutbound(outbound: Outbound, watch: OutboundWatch): Outbound {
  const told = (error: unknown): never => {
    if (isBlocked(error)) watch.blocked();
    throw error;
  };
  /** A text that is no URL at all is a slip, and nobody's attack. */
  const refused = (reason: string | undefined, leadsSomewhere = true): string | undefined => {
    if (reason !== undefined && leadsSomewhere) watch.blocked();
    return reason;
  };
  return {
    checkUrl: (url) => refused(outbound.checkUrl(url), URL.canParse(url)),
    checkResolved: async (url) => refused(await outbound.checkResolved(url)),
    checkHost: (host, port) => refused(outbound.checkHost(host, port)),
    send: (url, options) => outbound.send(url, options).catch(told),
    converse: (url, options, converse) => outbound.converse(url, options, converse).catch(told),
    connect: (host, port, options) => outbound.connect(host, port, options).catch(told),
    download: async (url, destinationPath, options) => {
      let bytes = 0;
      const onProgress: typeof options.onProgress = (received, total) => {
        bytes = received;
        options.onProgress?.(received, total);
      };
      try {
        const downloaded = await outbound.download(url, destinationPath, { ...options, onProgress });
        watch.fetched?.('ok', downloaded.sizeBytes);
        return downloaded;
      } catch (error) {
        if (options.signal?.aborted !== true) watch.fetched?.(isBlocked(error) ? 'blocked' : 'failed', bytes);
        return told(error);
      }
    },
    close: () => outbound.close(),
  };
}
