import type { SpeechModel } from './model-files.js';

/** Builds the configuration of sherpa-onnx. */
export function recognizerConfig(model: SpeechModel, language: string | undefined, hasKeywords: boolean, threads: number): unknown {
  const common = { tokens: model.tokens, numThreads: threads, provider: 'cpu', debug: false };
  const features = { sampleRate: 16_000, featureDim: 80 };
  switch (model.kind) {
    case 'whisper':
      return {
        featConfig: features,
        modelConfig: { ...common, whisper: { ...model.files, language: language?.split('-')[0] ?? '', task: 'transcribe', tailPaddings: -1 } },
      };
    case 'NeMo CTC':
      return { featConfig: features, modelConfig: { ...common, nemoCtc: model.files } };
    case 'zipformer CTC':
      return { featConfig: features, modelConfig: { ...common, zipformerCtc: model.files } };
    case 'NeMo transducer':
      return { featConfig: features, modelConfig: { ...common, transducer: model.files, modelType: 'nemo_transducer' } };
    case 'transducer': {
      const { modelingUnit, bpeVocab } = model.keywords ?? {};
      // Keywords need beam search, which weighs several hypotheses.
      if (!hasKeywords || modelingUnit === undefined) return { featConfig: features, modelConfig: { ...common, transducer: model.files } };
      return {
        featConfig: features,
        modelConfig: { ...common, transducer: model.files, modelingUnit, bpeVocab },
        decodingMethod: 'modified_beam_search',
        maxActivePaths: 4,
        hotwordsScore: 1.5,
      };
    }
  }
}

/** Keywords in sherpa-onnx's format; undefined if the model does not support them. */
export function hotwordsOf(model: SpeechModel, keywords: readonly string[]): string | undefined {
  if (model.keywords === undefined) return undefined;
  const { isUpperCase } = model.keywords;
  const plain = keywords
    .map((word) =>
      word
        .replace(/[^\p{L}\p{M}\p{N}' -]/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((word) => word !== '');
  const text = plain.slice(0, 200).join('/');
  return text === '' ? undefined : isUpperCase ? text.toUpperCase() : text;
}
