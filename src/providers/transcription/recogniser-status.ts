import type { SpeechToTextConfig } from '../../config/index.js';
import { findSpeechModel } from './sherpa/model-files.js';
import { sherpaVersion } from './sherpa/sherpa.js';

export interface RecogniserStatus {
  available: boolean;
  /** What it is when it is here, and what is missing when it is not. */
  detail: string;
}

/** What recognises speech here, without asking it. */
export function describeRecogniser(config: SpeechToTextConfig | undefined): RecogniserStatus {
  if (config === undefined) {
    return {
      available: false,
      detail: 'films and sound without captions get no subtitles: neither a service nor a model is set (FRAMEWRIGHT_SPEECH_TO_TEXT_…)',
    };
  }
  if (config.service !== undefined) return { available: true, detail: `${config.service.model}, asked at ${config.service.url}` };
  const { modelDir } = config.sherpa;
  const found = findSpeechModel(modelDir);
  const version = sherpaVersion();
  if (found === undefined) return { available: false, detail: `${modelDir} holds no model of speech that is known` };
  if (version === undefined) return { available: false, detail: 'the npm package sherpa-onnx-node is not installed for this machine' };
  return { available: true, detail: `${found.kind} in ${modelDir}, sherpa-onnx ${version}` };
}
