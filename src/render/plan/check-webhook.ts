import { AppError } from '../../errors/index.js';
import type { Movie } from '../../script/index.js';

/** Why a URL may not be called, after looking its name up; or undefined. */
export type CheckResolved = (url: string) => Promise<string | undefined>;

/** A webhook whose name leads to an address that may not be reached fails the render, as a medium there would. */
export async function checkWebhook({ webhookUri }: Movie, checkResolved: CheckResolved | undefined): Promise<void> {
  const reason = webhookUri === undefined ? undefined : await checkResolved?.(webhookUri);
  if (reason !== undefined) throw new AppError('RENDER_FAILED', { message: `webhook_uri is refused: ${reason}.` });
}
