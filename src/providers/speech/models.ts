/** Values of `model` in a script. The first five are JSON2Video's names; the others are local engines. */
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
/** Models that are local engines. */
export const offlineEngineModels: ReadonlySet<string> = new Set(['offline', 'festival', 'flite', 'espeak-ng']);
