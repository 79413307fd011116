/** A word as somebody says it; seconds. */
export interface SpokenWord {
  text: string;
  start: number;
  end: number;
  /** It follows the word before it without a space. */
  joins?: true;
}
