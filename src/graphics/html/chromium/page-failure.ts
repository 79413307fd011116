/** The page cannot be shown, by its own doing; the message says why. */
export class PageFailure extends Error {}
