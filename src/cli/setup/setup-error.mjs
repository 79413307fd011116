/** A set-up problem whose message is meant for the person at the terminal, as it is. */
export class SetupError extends Error {}
