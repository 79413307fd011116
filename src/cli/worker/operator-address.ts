import { type AddressInfo, isIPv6 } from 'node:net';
import type { Config } from '../../config/index.js';
import type { Metrics, Readiness } from '../../http/operations/index.js';

/** An HTTP server for operators. */
export interface OperatorAddress {
  url: string;
  close(): Promise<void>;
}

/** Serves health, readiness and metrics on a separate port. */
export async function openOperatorAddress(
  { host, metricsPort }: Config['http'],
  parts: { metrics: Metrics; readiness: () => Promise<Readiness> },
): Promise<OperatorAddress> {
  const { createOperatorServer } = await import('../../http/index.js');
  const server = createOperatorServer(parts);
  await server.listen({ host, port: metricsPort ?? 0 });
  const { port } = server.server.address() as AddressInfo;
  return { url: `http://${isIPv6(host) ? `[${host}]` : host}:${port}`, close: () => server.close() };
}
