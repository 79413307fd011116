import type { EngineConfig } from '../../config/index.js';
import type { EncoderProbeResult, Engine } from '../../engine/index.js';
import { AppError } from '../../errors/index.js';
import { type EncoderName, encoderFor, encoderNames, encoders, isHardware, type SegmentCodec } from '../../timeline/index.js';

type EncoderProber = Pick<Engine, 'probeEncoder'>;

/** Selects the encoder of a movie. Probe results are cached for the lifetime of the process. */
export interface EncoderSelection {
  /** Returns the first encoder that opens: the configured one, else NVENC, VAAPI, and finally software, which is not probed. */
  select(codec: SegmentCodec, engine: EncoderProber): Promise<EncoderName>;
  /** Configuration that the probe of a selected hardware encoder opened; undefined for software. */
  variantOf(encoder: EncoderName): Promise<number | undefined>;
  /** Whether the configuration names a hardware encoder. */
  readonly requiresHardware: boolean;
  /** Throws, with the driver's message, when the configured hardware encoder cannot be opened. */
  checkRequired(engine: EncoderProber): Promise<void>;
  /** Forgets the probe result of an encoder that failed. */
  invalidate(encoder: EncoderName): void;
}

/** `onProbe` is called with every probe result of a hardware encoder. */
export function createEncoderSelection(wanted: EngineConfig['encoder'], onProbe: (result: EncoderProbeResult) => void = () => {}): EncoderSelection {
  const known = new Map<EncoderName, Promise<EncoderProbeResult>>();
  const probe = (encoder: EncoderName, engine: EncoderProber): Promise<EncoderProbeResult> => {
    const cached = known.get(encoder);
    if (cached !== undefined) return cached;
    const probing = engine.probeEncoder(encoder);
    known.set(encoder, probing);
    // A failed call says nothing about the encoder.
    probing.then(onProbe, () => known.delete(encoder));
    return probing;
  };
  const named = requiredEncoders(wanted);
  return {
    requiresHardware: named.length > 0,
    async select(codec, engine) {
      for (const encoder of candidates(wanted, codec)) {
        if (!isHardware(encoder) || isUsable(await probe(encoder, engine))) return encoder;
      }
      return encoderFor(codec, 'software');
    },
    variantOf: async (encoder) => {
      const result = await known.get(encoder);
      return result?.available ? result.variant : undefined;
    },
    async checkRequired(engine) {
      if (named.length === 0) return;
      const results = await Promise.all(named.map((encoder) => probe(encoder, engine)));
      if (!results.some(isUsable)) throw new AppError('INTERNAL_ERROR', { message: unavailableMessage(wanted, results) });
    },
    invalidate: (encoder) => void known.delete(encoder),
  };
}

/** Error message when the configured encoder cannot be opened; used by the log, the start and `doctor`. */
export function unavailableMessage(wanted: EngineConfig['encoder'], results: readonly EncoderProbeResult[]): string {
  const reasons = results.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
  return `FRAMEWRIGHT_ENCODER is ${wanted}, which cannot be opened on this host (${reasons}).`;
}

/** Hardware encoders of which at least one must open; empty for `auto` and `software`. */
export function requiredEncoders(wanted: EngineConfig['encoder']): EncoderName[] {
  if (wanted === 'auto' || wanted === 'software') return [];
  return encoderNames.filter((name) => isHardware(name) && (name === wanted || encoders[name].backend === wanted));
}

/** Hardware encoders for a codec, best first. */
function candidates(wanted: EngineConfig['encoder'], codec: SegmentCodec): EncoderName[] {
  if (wanted === 'software') return [];
  const ofCodec = encoderNames.filter((name) => encoders[name].codec === codec && isHardware(name));
  if (wanted === 'nvenc' || wanted === 'vaapi') return ofCodec.filter((name) => encoders[name].backend === wanted);
  if (wanted !== 'auto' && encoders[wanted].codec === codec) return [wanted];
  return ofCodec;
}

/** A busy encoder counts as usable: its sessions will be free again. */
function isUsable({ available, refusal }: EncoderProbeResult): boolean {
  return available || refusal === 'no-session';
}
