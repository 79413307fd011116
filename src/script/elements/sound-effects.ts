import type { EqualizerBand, SoundEffects } from '../movie.js';
import { joinPath } from '../validation/fail.js';
import { Fields } from '../validation/fields.js';
import { schemaPart } from '../validation/schema.js';

/** Parses `balance`, `pitch` and `equalizer`; neutral ones are left out. */
export function parseSoundEffects(fields: Fields): SoundEffects {
  const [balance, pitch] = [fields.number('balance'), fields.number('pitch')];
  const equalizer = parseEqualizer(fields);
  return { ...(balance !== 0 && { balance }), ...(pitch !== 0 && { pitch }), ...(equalizer.length > 0 && { equalizer }) };
}

function parseEqualizer(fields: Fields): EqualizerBand[] {
  const found = fields.find('equalizer');
  if (found === undefined) return [];
  const schema = schemaPart('equalizerBand');
  return (found.value as readonly Record<string, unknown>[]).map((object, index) => {
    const band = new Fields({ object, path: joinPath(found.path, index), schema });
    return { type: band.string('type') as EqualizerBand['type'], frequency: band.number('frequency'), gain: band.number('gain'), q: band.number('q') };
  });
}
