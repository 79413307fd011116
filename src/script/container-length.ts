/** What an element asks of a container that is as long as its elements need, in seconds. */
export interface TimedContent {
  start: number;
  /** 0: nothing. */
  length: number;
  /** A picture or page without a length of its own: its 5 s count only where nothing else lasts beyond its start. */
  isFlexible: boolean;
}

/**
 * When the elements of a container are over. A picture under a voice of 3 s is no reason for 2 s of silence: it
 * stays as long as there is something else. What starts at -1 starts when all before it is over; where that is
 * pictures alone, they are a sequence, in which each counts.
 */
export class ContainerLength<T extends TimedContent = TimedContent> {
  #end = 0;
  #waiting: T[] = [];

  add(claim: T): void {
    if (claim.isFlexible) this.#waiting.push(claim);
    else if (claim.length > 0) this.#end = Math.max(this.#end, claim.start + claim.length);
  }

  /** Decides about the pictures so far, and tells those that count. */
  resolveFlexible(): T[] {
    const counting = this.#waiting.filter(({ start }) => start >= this.#end);
    this.#waiting = [];
    for (const { start, length } of counting) this.#end = Math.max(this.#end, start + length);
    return counting;
  }

  /** Pictures count that nothing else outlasts. */
  end(): number {
    this.resolveFlexible();
    return this.#end;
  }

  get endWithoutImages(): number {
    return this.#end;
  }
}
