import type { SpeechToTextConfig } from '../../config/index.js';
import { findSpeechModel } from './sherpa/model-files.js';
import { sherpaVersion } from './sherpa/sherpa.js';

export interface RecogniserStatus {
  available: boolean;
  /** The recogniser's name and version, or what is missing. */
  detail: string;
}

/** Describes the configured speech recogniser without contacting it. */
export function describeRecogniser(config: SpeechToTextConfig | undefined): RecogniserStatus {
  if (config === undefined) {
    return {
      available: false,
      detail: 'videos and audio without captions get no subtitles: neither a service nor a model is set (FRAMEWRIGHT_SPEECH_TO_TEXT_…)',
    };
  }
  if (config.service !== undefined) return { available: true, detail: `${config.service.model}, at ${config.service.url}` };
  const { modelDir } = config.sherpa;
  const found = findSpeechModel(modelDir);
  const version = sherpaVersion();
  if (found === undefined) return { available: false, detail: `${modelDir} contains no supported speech model` };
  if (version === undefined) return { available: false, detail: 'the npm package sherpa-onnx-node is not installed for this machine' };
  return { available: true, detail: `${found.kind} in ${modelDir}, sherpa-onnx ${version}` };
}
