import type { Config } from '../config/index.js';
import type { ExportPolicy } from '../delivery/exports/index.js';
import { createOutbound } from '../outbound/index.js';

/** What the configuration permits as targets of exports, and which URLs. */
export function exportPolicyOf(config: Config): ExportPolicy & Pick<ReturnType<typeof createOutbound>, 'checkUrl'> {
  const { checkUrl, checkHost } = createOutbound(config.outbound);
  return { checkUrl, checkHost, hasMail: config.exports.mail !== undefined };
}
