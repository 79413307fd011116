/** A recognised word; times in seconds. */
export interface SpokenWord {
  text: string;
  start: number;
  end: number;
  /** Whether it follows the previous word without a space. */
  joins?: true;
  /** Whether it is spoken louder than the others; present if that was measured. */
  loud?: true;
}
