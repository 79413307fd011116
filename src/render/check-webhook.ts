import { AppError } from '../errors/index.js';
import type { Movie } from '../movie/index.js';
import type { RenderParts } from './render-movie.js';

/** A webhook whose name leads to an address that may not be reached fails the render, as a medium there would. */
export async function checkWebhook({ webhookUri }: Movie, { checkResolved }: RenderParts): Promise<void> {
  const reason = webhookUri === undefined ? undefined : await checkResolved?.(webhookUri);
  if (reason !== undefined) throw new AppError('RENDER_FAILED', { message: `webhook_uri is refused: ${reason}.` });
}
