/** What a script may ask for. The first five are the other service's words; the others are this machine's own. */
export const voiceModels = [
  'azure',
  'elevenlabs',
  'elevenlabs-flash-v2-5',
  'elevenlabs-v3',
  'openai',
  'sherpa',
  'offline',
  'festival',
  'flite',
  'espeak-ng',
] as const;

export const DEFAULT_MODEL = 'azure';
/** Spoken by an engine of this machine. */
export const offlineEngineModels: ReadonlySet<string> = new Set(['offline', 'festival', 'flite', 'espeak-ng']);
