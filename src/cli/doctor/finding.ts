/** One thing that this host can do or cannot, and why not. */
export interface Finding {
  topic: string;
  name: string;
  ok: boolean;
  /** Version, place or amount when it can; the reason when it cannot. */
  detail: string;
  /** Renders fail without it. */
  essential: boolean;
}
