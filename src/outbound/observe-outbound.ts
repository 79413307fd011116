import { isBlocked } from './failures.js';
import type { Outbound } from './outbound.js';

/** Callbacks for what happens on an Outbound. */
export interface OutboundObserver {
  /** A request to a forbidden address was refused. */
  blocked: () => void;
  /** A download ended; `bytes` were received. Not called for cancelled downloads. */
  fetched?: (result: 'ok' | 'blocked' | 'failed', bytes: number) => void;
}

/** Wraps an Outbound to report refusals and downloads. */
export function observeOutbound(outbound: Outbound, observer: OutboundObserver): Outbound {
  const reported = (error: unknown): never => {
    if (isBlocked(error)) observer.blocked();
    throw error;
  };
  // Text that is not a URL at all is a mistake rather than an attack.
  const refused = (reason: string | undefined, isUrl = true): string | undefined => {
    if (reason !== undefined && isUrl) observer.blocked();
    return reason;
  };
  return {
    checkUrl: (url) => refused(outbound.checkUrl(url), URL.canParse(url)),
    checkResolved: async (url) => refused(await outbound.checkResolved(url)),
    checkHost: (host, port) => refused(outbound.checkHost(host, port)),
    send: (url, options) => outbound.send(url, options).catch(reported),
    withWebSocket: (url, options, use) => outbound.withWebSocket(url, options, use).catch(reported),
    connect: (host, port, options) => outbound.connect(host, port, options).catch(reported),
    download: async (url, destinationPath, options) => {
      let bytes = 0;
      const onProgress: typeof options.onProgress = (received, total) => {
        bytes = received;
        options.onProgress?.(received, total);
      };
      try {
        const downloaded = await outbound.download(url, destinationPath, { ...options, onProgress });
        observer.fetched?.('ok', downloaded.sizeBytes);
        return downloaded;
      } catch (error) {
        if (options.signal?.aborted !== true) observer.fetched?.(isBlocked(error) ? 'blocked' : 'failed', bytes);
        return reported(error);
      }
    },
    close: () => outbound.close(),
  };
}
