import { ConfigError, type Environment } from '../environment.js';

/** All price plans, cheapest first. */
export const planNames = ['free', 'starter', 'pro', 'enterprise'] as const;
type PlanName = (typeof planNames)[number];

/** Services that synthesize speech. */
export type SpeechService = 'azure' | 'elevenlabs' | 'openai';

/** Credits that jobs pay for results of provider services, with up to three decimals; 0: the operator pays. */
export interface PricesConfig {
  /** Per 1,000 characters. */
  speech: Readonly<Record<SpeechService, number>>;
  /** Per generated image. */
  image: number;
  /** Per second of generated video. */
  video: number;
  /** Seconds that count for a video if its script requests no length. */
  videoSeconds: number;
  /** Per minute of transcribed audio. */
  transcription: number;
  limits: {
    /** Maximum credits that one movie may spend on provider services; undefined: unlimited. */
    readonly perMovie: number | undefined;
    /** Maximum credits that an account may spend on provider services within 24 hours, by its plan; absent: unlimited. */
    readonly perDay: Readonly<Partial<Record<PlanName, number>>>;
  };
}

const MAX_PRICE = 1_000_000;
const MAX_CREDITS = 999_999_999;
const PER_MOVIE = 'FRAMEWRIGHT_PROVIDER_CREDITS_PER_MOVIE';
const PER_DAY = 'FRAMEWRIGHT_PROVIDER_CREDITS_PER_DAY';

export function parsePricesConfig(environment: Environment): PricesConfig {
  const price = (name: string): number => environment.decimal(name, 0, { min: 0, max: MAX_PRICE });
  return Object.freeze({
    speech: Object.freeze({
      azure: price('FRAMEWRIGHT_VOICE_AZURE_PRICE'),
      elevenlabs: price('FRAMEWRIGHT_VOICE_ELEVENLABS_PRICE'),
      openai: price('FRAMEWRIGHT_VOICE_OPENAI_PRICE'),
    }),
    image: price('FRAMEWRIGHT_IMAGE_API_PRICE'),
    video: price('FRAMEWRIGHT_VIDEO_API_PRICE'),
    videoSeconds: environment.integer('FRAMEWRIGHT_VIDEO_API_SECONDS', 5, { min: 1, max: 60 }),
    transcription: price('FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_PRICE'),
    limits: Object.freeze({
      perMovie: environment.text(PER_MOVIE) === undefined ? undefined : environment.integer(PER_MOVIE, 0, { min: 0, max: MAX_CREDITS }),
      perDay: Object.freeze(parsePerDay(environment)),
    }),
  });
}

/** `100` for all plans, or `free=10,pro=500`. */
function parsePerDay(environment: Environment): PricesConfig['limits']['perDay'] {
  const items = environment.list(PER_DAY);
  const [first] = items;
  if (items.length === 1 && first !== undefined && /^\d{1,9}$/.test(first)) return Object.fromEntries(planNames.map((plan) => [plan, Number(first)]));
  return Object.fromEntries(
    items.map((item) => {
      const [, name, credits] = /^(\w+)=(\d{1,9})$/.exec(item) ?? [];
      const plan = planNames.find((one) => one === name);
      if (plan === undefined) {
        throw new ConfigError(PER_DAY, `"${item}" is neither a whole number of credits nor one for a plan, such as free=10 (${planNames.join(', ')})`);
      }
      return [plan, Number(credits)] as const;
    }),
  );
}
