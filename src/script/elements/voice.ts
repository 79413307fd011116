import type { VoiceElement } from '../movie.js';
import { parseSpokenText, SILENT_MODEL } from '../speech-length.js';
import type { Fields } from '../validation/fields.js';
import { parseVolume } from './audible.js';
import type { ElementContext } from './context.js';
import { parseTimed } from './timed.js';

/** Parses a voice element. */
export function parseVoice(fields: Fields, path: string, context: ElementContext): VoiceElement {
  const voice = fields.optionalString('voice');
  const language = fields.optionalString('language');
  const model = fields.string('model');
  const modelSettings = fields.find('model-settings')?.value as VoiceElement['modelSettings'];
  return {
    type: 'voice',
    ...parseTimed(fields, path, context),
    ...parseVolume(fields),
    text: parseSpokenText(fields.string('text')),
    model,
    // Templates disable a voice with this model.
    ...(model === SILENT_MODEL ? { muted: true } : {}),
    speed: fields.number('speed'),
    ...(voice === undefined || voice === '' ? {} : { voice }),
    ...(language === undefined || language === '' ? {} : { language }),
    ...(modelSettings === undefined ? {} : { modelSettings }),
  };
}
