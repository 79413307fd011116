import type { PlanName } from '../accounts/index.js';
import type { ProviderPurchaseRow } from '../db/index.js';

/** Something that a job buys from a provider service. */
export interface Purchase {
  /** Hash of the request; a job pays for an item once, in whichever attempt it is bought. */
  item: string;
  kind: ProviderPurchaseRow['kind'];
  /** Name of the provider, such as `azure`. */
  provider: string;
  /** Characters of speech, images, seconds of video, or seconds of transcribed audio; a whole number. */
  quantity: number;
  /** Price in millionths of a credit; a whole number. */
  microcredits: number;
}

/** Maximum credits that movies and accounts may spend on provider services; absent: unlimited. */
export interface ProviderLimits {
  perMovie?: number | undefined;
  /** Per account within 24 hours, by its plan. */
  perDay?: Readonly<Partial<Record<PlanName, number>>>;
}
