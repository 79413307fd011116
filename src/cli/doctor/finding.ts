/** Result of one check of this host. */
export interface Finding {
  topic: string;
  name: string;
  ok: boolean;
  /** A version, path or amount; if not ok, the reason and what to do. */
  detail: string;
  /** Whether renders fail without it. */
  essential: boolean;
}
