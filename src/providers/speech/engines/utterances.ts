import { ProgramError } from '../../../engine/child-processes/index.js';
import { parsePcm16 } from '../audio/wav.js';
import type { TimedText } from '../speech.js';
import type { SynthesizedLine } from './offline-engine.js';

/** Parses the output format of native/speech/utterance.h. */
export function parseUtterances(output: Buffer): SynthesizedLine[] {
  const spoken: SynthesizedLine[] = [];
  let at = 0;
  const readRow = (): string => {
    const end = output.indexOf(0x0a, at);
    if (end < 0) throw new ProgramError('the speech program broke off');
    const row = output.toString('utf8', at, end);
    at = end + 1;
    return row;
  };
  while (at < output.length) {
    const [, rate, samples, words] = /^utterance (\d+) (\d+) (\d+)$/.exec(readRow()) ?? [];
    if (rate === undefined) throw new ProgramError('the speech program answered something else');
    const timed = Array.from({ length: Number(words) }, () => parseWord(readRow()));
    const sound = parsePcm16(output.subarray(at, at + Number(samples) * 2), Number(rate));
    at += Number(samples) * 2;
    spoken.push({ audio: sound, words: timed });
  }
  return spoken;
}

function parseWord(row: string): TimedText {
  const [start, end, text = ''] = row.split('\t');
  return { text, start: Number(start), end: Number(end) };
}
