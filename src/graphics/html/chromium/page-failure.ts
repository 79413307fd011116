/** The page cannot be drawn because of its own behaviour; the message says why. */
export class PageFailure extends Error {}
