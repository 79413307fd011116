/**
 * What scripts may rightly ask for, but this version does not draw: told apart from spelling mistakes in
 * messages. Nothing here is accepted.
 */
export const plannedKinds: ReadonlySet<string> = new Set(['voice', 'html', 'component', 'audiogram', 'subtitles', 'template']);

export const plannedTransitions: ReadonlySet<string> = new Set(
  `fadeblack fadewhite fadegrays dissolve distance pixelize radial hblur wipetl wipetr wipebl wipebr
  smoothleft smoothright smoothup smoothdown circlecrop rectcrop circleopen circleclose horzopen horzclose
  vertopen vertclose diagtl diagtr diagbl diagbr hlslice hrslice vuslice vdslice zoomin squeezeh squeezev
  hlwind hrwind vuwind vdwind coverleft coverright coverup coverdown revealleft revealright revealup
  revealdown fadefast fadeslow`.split(/\s+/),
);

/** With hyphens. */
export const plannedProperties: ReadonlySet<string> = new Set(
  `template mask chroma-key correction prompt model
  aspect-ratio connection model-settings font-url`.split(/\s+/),
);
