import { AppError } from '../../errors/index.js';
import type { Movie } from '../../script/index.js';

/** Resolves the host name of a URL and returns why it may not be called; undefined when it may. */
export type CheckResolved = (url: string) => Promise<string | undefined>;

/** Fails the render when the webhook's host resolves to a forbidden address. */
export async function checkWebhook({ webhookUri }: Movie, checkResolved: CheckResolved | undefined): Promise<void> {
  const reason = webhookUri === undefined ? undefined : await checkResolved?.(webhookUri);
  if (reason !== undefined) throw new AppError('RENDER_FAILED', { message: `webhook_uri is refused: ${reason}.` });
}
