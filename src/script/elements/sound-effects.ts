import type { Compressor, EqualizerBand, Limiter, Reverb, SoundEffects } from '../movie.js';
import { joinPath } from '../validation/fail.js';
import { Fields } from '../validation/fields.js';
import { schemaPart } from '../validation/schema.js';

/** Decibels by which denoise: true lowers noise. */
const DEFAULT_REDUCTION = 15;

/** Parses the effects of a sound; neutral ones are left out. */
export function parseSoundEffects(fields: Fields): SoundEffects {
  const [balance, pitch] = [fields.number('balance'), fields.number('pitch')];
  const equalizer = parseEqualizer(fields);
  const compressor = parseCompressor(fields);
  const reverb = parseReverb(fields);
  const limiter = parseLimiter(fields);
  const denoise = fields.find('denoise')?.value === true ? DEFAULT_REDUCTION : fields.number('denoise');
  return {
    ...(balance !== 0 && { balance }),
    ...(pitch !== 0 && { pitch }),
    ...(equalizer.length > 0 && { equalizer }),
    ...(compressor && { compressor }),
    ...(reverb && { reverb }),
    ...(limiter && { limiter }),
    ...(denoise !== 0 && { denoise }),
  };
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

/** Undefined if it changes nothing. */
function parseCompressor(fields: Fields): Compressor | undefined {
  const parts = partsOf(fields, 'compressor');
  if (parts === undefined) return undefined;
  const [threshold, ratio] = [parts.number('threshold'), parts.number('ratio')];
  const makeup = parts.string('makeup').trim() === 'auto' ? automaticMakeup(threshold, ratio) : parts.number('makeup');
  if (ratio === 1 && makeup === 0) return undefined;
  return { threshold, ratio, attack: parts.number('attack'), release: parts.number('release'), knee: parts.number('knee'), makeup };
}

/** Half of the reduction at full scale, in dB. */
const automaticMakeup = (threshold: number, ratio: number): number => (-threshold * (1 - 1 / ratio)) / 2;

const reverbs: Readonly<Record<string, Reverb>> = {
  room: { size: 0.25, decay: 0.5, wet: 0.2, preDelay: 0.005, damping: 0.5 },
  hall: { size: 0.8, decay: 2.2, wet: 0.25, preDelay: 0.025, damping: 0.5 },
  plate: { size: 0.4, decay: 1.4, wet: 0.2, preDelay: 0, damping: 0.1 },
};

/** Undefined if it changes nothing. */
function parseReverb(fields: Fields): Reverb | undefined {
  const value = fields.find('reverb')?.value;
  if (typeof value === 'string') return reverbs[value];
  const parts = partsOf(fields, 'reverb');
  if (parts === undefined) return undefined;
  const preset = reverbs[parts.string('preset')] as Reverb;
  const reverb = {
    size: parts.optionalNumber('size') ?? preset.size,
    decay: parts.optionalNumber('decay') ?? preset.decay,
    wet: parts.optionalNumber('wet') ?? preset.wet,
    preDelay: parts.optionalNumber('pre-delay') ?? preset.preDelay,
    damping: parts.optionalNumber('damping') ?? preset.damping,
  };
  return reverb.wet === 0 ? undefined : reverb;
}

function parseLimiter(fields: Fields): Limiter | undefined {
  const parts = partsOf(fields, 'limiter');
  return parts && { ceiling: parts.number('ceiling'), gain: parts.number('gain') };
}

/** The properties of an effect that true switches on with its defaults; undefined if it is off. */
function partsOf(fields: Fields, name: string): Fields | undefined {
  const value = fields.find(name)?.value;
  if (value === undefined || value === false) return undefined;
  if (value !== true) return fields.object(name);
  return new Fields({ object: {}, path: fields.pathOf(name), schema: schemaPart(name) });
}
