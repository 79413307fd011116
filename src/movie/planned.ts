/**
 * What scripts may rightly ask for, but this version does not draw: told apart from spelling mistakes in
 * messages. Nothing here is accepted.
 */
export const plannedKinds: ReadonlySet<string> = new Set(['voice', 'html', 'component', 'audiogram', 'subtitles', 'template']);

/** With hyphens. */
export const plannedProperties: ReadonlySet<string> = new Set(
  `template mask chroma-key correction prompt model
  aspect-ratio connection model-settings font-url`.split(/\s+/),
);
