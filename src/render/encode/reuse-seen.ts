/** Encoded packets that were there already, or not. */
export interface SegmentCacheEvent {
  part: 'picture' | 'sound';
  result: 'hit' | 'miss';
  /** Those that were read, or kept. */
  bytes: number;
}
