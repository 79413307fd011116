export const DEFAULT_MODEL = 'azure';
/** Models that are local engines. */
export const offlineEngineModels: ReadonlySet<string> = new Set(['offline', 'festival', 'flite', 'espeak-ng']);
