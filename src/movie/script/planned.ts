/**
 * What scripts may rightly ask for, but this version does not do: told apart from spelling mistakes in
 * messages. Nothing here is accepted.
 */
export const plannedKinds: ReadonlySet<string> = new Set(['template']);

/** With hyphens. */
export const plannedProperties: ReadonlySet<string> = new Set(['template', 'prompt', 'model', 'aspect-ratio', 'connection', 'model-settings']);
