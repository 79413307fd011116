/** Time of an element in a scene or movie whose length follows from its elements, in seconds. */
export interface TimedContent {
  start: number;
  /** 0: does not affect the container. */
  length: number;
  /** True for an image or page of default length: counts only when nothing else lasts beyond its start. */
  isFlexible: boolean;
}

/**
 * Computes the end of a container's elements. Flexible elements (images, pages) do not extend a container that other elements
 * determine: a 5 s image under a 3 s voice lasts 3 s. An element with start -1 starts when all before it have ended, and
 * flexible elements before it then count, so that a list of images becomes a sequence.
 */
export class ContainerLength<T extends TimedContent = TimedContent> {
  #end = 0;
  #pending: T[] = [];

  add(claim: T): void {
    if (claim.isFlexible) this.#pending.push(claim);
    else if (claim.length > 0) this.#end = Math.max(this.#end, claim.start + claim.length);
  }

  /** Adds the pending flexible elements that nothing outlasts, and returns them. */
  resolveFlexible(): T[] {
    const added = this.#pending.filter(({ start }) => start >= this.#end);
    this.#pending = [];
    for (const { start, length } of added) this.#end = Math.max(this.#end, start + length);
    return added;
  }

  /** End of all elements in seconds, including flexible ones that nothing outlasts. */
  end(): number {
    this.resolveFlexible();
    return this.#end;
  }

  /** End of the elements added so far, without pending flexible ones. */
  get endWithoutImages(): number {
    return this.#end;
  }
}
