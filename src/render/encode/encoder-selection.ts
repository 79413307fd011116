import type { EngineConfig } from '../../config/index.js';
import type { EncoderProbeResult, Engine } from '../../engine/index.js';
import { AppError } from '../../errors/index.js';
import type { Movie } from '../../script/index.js';
import { type EncoderName, encoderFor, encoderNames, encoders, isHardware } from '../../timeline/index.js';

type EncoderProber = Pick<Engine, 'probeEncoder'>;

/** Which encoder a movie gets. One stands for a process: what was found out once is remembered. */
export interface EncoderSelection {
  /** The first that really opens: the operator's, or NVIDIA's, VAAPI's and at last the processor's, which is not tried. */
  select(codec: Movie['codec'], engine: EncoderProber): Promise<EncoderName>;
  /** Whether the operator relies on hardware. */
  readonly requiresHardware: boolean;
  /** Fails where the operator relies on an encoder that cannot be opened, with the driver's reason. */
  checkRequired(engine: EncoderProber): Promise<void>;
  /** It broke: the next movie finds out anew whether it opens. */
  invalidate(encoder: EncoderName): void;
}

/** `onVerdict` is told of every hardware encoder that was tried. */
export function createEncoderSelection(wanted: EngineConfig['encoder'], onVerdict: (verdict: EncoderProbeResult) => void = () => {}): EncoderSelection {
  const known = new Map<EncoderName, Promise<EncoderProbeResult>>();
  const look = (encoder: EncoderName, engine: EncoderProber): Promise<EncoderProbeResult> => {
    const seen = known.get(encoder);
    if (seen !== undefined) return seen;
    const looking = engine.probeEncoder(encoder);
    known.set(encoder, looking);
    // A test that could not be made says nothing about the encoder.
    looking.then(onVerdict, () => known.delete(encoder));
    return looking;
  };
  const named = requiredEncoders(wanted);
  return {
    requiresHardware: named.length > 0,
    async select(codec, engine) {
      for (const encoder of candidates(wanted, codec)) {
        if (!isHardware(encoder) || isUsable(await look(encoder, engine))) return encoder;
      }
      return encoderFor(codec, 'software');
    },
    async checkRequired(engine) {
      if (named.length === 0) return;
      const verdicts = await Promise.all(named.map((encoder) => look(encoder, engine)));
      if (!verdicts.some(isUsable)) throw new AppError('INTERNAL_ERROR', { message: unavailableMessage(wanted, verdicts) });
    },
    invalidate: (encoder) => void known.delete(encoder),
  };
}

/** What doctor, the log and a failed start say. */
export function unavailableMessage(wanted: EngineConfig['encoder'], verdicts: readonly EncoderProbeResult[]): string {
  const reasons = verdicts.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
  return `FRAMEWRIGHT_ENCODER is ${wanted}, which cannot be opened on this host (${reasons}).`;
}

/** Hardware of which one must open. */
export function requiredEncoders(wanted: EngineConfig['encoder']): EncoderName[] {
  if (wanted === 'auto' || wanted === 'software') return [];
  return encoderNames.filter((name) => isHardware(name) && (name === wanted || encoders[name].backend === wanted));
}

/** Best first. */
function candidates(wanted: EngineConfig['encoder'], codec: Movie['codec']): EncoderName[] {
  if (wanted === 'software') return [];
  if (wanted === 'nvenc' || wanted === 'vaapi') return [encoderFor(codec, wanted)];
  if (wanted !== 'auto' && encoders[wanted].codec === codec) return [wanted];
  return [encoderFor(codec, 'nvenc'), encoderFor(codec, 'vaapi')];
}

/** One whose sessions are all in use will be free again. */
function isUsable({ available, refusal }: EncoderProbeResult): boolean {
  return available || refusal === 'no-session';
}
