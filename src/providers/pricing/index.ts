import { type Config, voiceServiceOf } from '../../config/index.js';
import type { Price, ProviderPricing } from '../../script/index.js';
import { requestedSeconds } from '../generation/index.js';

/** Prices of the configured provider services; local engines are free. */
export function createPricing(config: Pick<Config, 'prices' | 'voice' | 'generation' | 'speechToText'>): ProviderPricing {
  const { prices, voice, generation, speechToText } = config;
  const isConfigured = { azure: voice.azure !== undefined, elevenlabs: voice.elevenLabs !== undefined, openai: voice.openAi !== undefined };
  return {
    ...(prices.limits.perMovie !== undefined && { maxCreditsPerMovie: prices.limits.perMovie }),
    priceSpeech({ model, text }) {
      const service = voiceServiceOf(model);
      const quantity = [...text].length;
      return service !== undefined && isConfigured[service] ? priceOf(quantity, prices.speech[service] / 1000) : free(quantity);
    },
    priceGeneration({ kind, modelSettings }) {
      const quantity = kind === 'image' ? 1 : Math.ceil(requestedSeconds(modelSettings) ?? prices.videoSeconds);
      return generation[kind] === undefined ? free(quantity) : priceOf(quantity, prices[kind]);
    },
    priceTranscription(seconds) {
      const quantity = Math.ceil(seconds);
      return speechToText?.service === undefined ? free(quantity) : priceOf(quantity, prices.transcription / 60);
    },
  };
}

function priceOf(quantity: number, credits: number): Price {
  // Rounded to a thousandth first: 0.1 is not exact in binary, and a price must not exceed what the operator has set.
  return { quantity, microcredits: Math.ceil(Math.round(quantity * credits * 1e9) / 1000) };
}

function free(quantity: number): Price {
  return { quantity, microcredits: 0 };
}
