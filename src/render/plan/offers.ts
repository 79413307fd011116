import type { Purchase } from '../../jobs/index.js';
import type { Price } from '../../script/index.js';

/** A result of a provider service that a movie needs and that is not cached. */
export interface Offer {
  purchase: Purchase;
  /** Requests the result and keeps it for the movie; `onBought` is called as soon as the service has delivered it. */
  buy(onBought: () => Promise<void>): Promise<void>;
}

/** Called by renders whose job pays for provider services. */
export interface PurchaseHooks {
  /** Called before anything is bought, with the credits of the render as far as they are known; a rejection ends the render. */
  onReserve?: (plan: { credits: number; purchases: Purchase[] }) => Promise<void>;
  /** Called after each purchase, before its result is used. */
  onBought?: (purchase: Purchase) => Promise<void>;
}

/** Parallel requests per kind of service; services limit request rates. */
const MAX_PARALLEL = 2;

const noPrice: Price = { quantity: 0, microcredits: 0 };

/** The purchase of an offered result. */
export function purchaseOf(kind: Purchase['kind'], { provider, item }: Pick<Purchase, 'provider' | 'item'>, price: Price = noPrice): Purchase {
  return { item, kind, provider, ...price };
}

/** Buys all offers. After a failure no further one is bought, but those under way are finished, because they are paid for. */
export async function buyAll(offers: readonly Offer[], { onBought = async () => {} }: PurchaseHooks): Promise<void> {
  let failure: { error: unknown } | undefined;
  const buyFrom = async (queue: Offer[]): Promise<void> => {
    while (failure === undefined) {
      const offer = queue.shift();
      if (offer === undefined) return;
      try {
        await offer.buy(() => onBought(offer.purchase));
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  const isSpeech = ({ purchase }: Offer): boolean => purchase.kind === 'speech';
  const queues = [offers.filter(isSpeech), offers.filter((offer) => !isSpeech(offer))];
  await Promise.all(queues.flatMap((queue) => Array.from({ length: MAX_PARALLEL }, () => buyFrom(queue))));
  if (failure !== undefined) throw failure.error;
}
