import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProgramError, runProgram } from '../../../engine/child-processes/index.js';
import { parseWav } from '../audio/wav.js';
import type { TimedText } from '../speech.js';
import { toPlainEnglish } from './english-text.js';
import type { EngineCall, EngineVoice, OfflineEngine, SynthesizedLine } from './offline-engine.js';
import { engineEnvironment, timeoutMsFor } from './offline-engine.js';

const VOICE = 'cmu_us_slt_arctic_hts';
const MAX_REPORT_BYTES = 4_000_000;
const LOOK_TIMEOUT_MS = 20_000;

/** Synthesizes a line to a file and prints, for each token of the text (a word as written), the times of its parts: "25" has the parts "twenty" and "five". */
const program = `
(define (speak_line text file)
  (let ((utt (utt.synth (eval (list 'Utterance 'Text text)))))
    (utt.save.wave utt file 'riff)
    (format t "line\\n")
    (mapcar
      (lambda (token)
        (format t "token\\t%s\\n" (item.name token))
        (mapcar
          (lambda (word)
            (if (item.relation.daughters word 'SylStructure)
              (format t "part\\t%s\\t%s\\n"
                (item.feat word "R:SylStructure.daughter1.daughter1.R:Segment.p.end")
                (item.feat word "R:SylStructure.daughtern.daughtern.R:Segment.end"))))
          (item.daughters (item.relation token 'Token))))
      (utt.relation.items utt 'Token))))
`;

export function createFestival(environment: Readonly<Record<string, string>>): OfflineEngine {
  const run = (input: string, timeoutMs: number, call: EngineCall) =>
    runProgram('festival', {
      args: ['--pipe'],
      stdin: input,
      ...call,
      environment: { ...environment, ...engineEnvironment },
      timeoutMs,
      maxOutputBytes: MAX_REPORT_BYTES,
    });
  return {
    name: 'festival',
    async findVersion() {
      try {
        const call = { folder: '/', signal: AbortSignal.timeout(LOOK_TIMEOUT_MS) };
        const { stdout } = await run('(format t "voices %l\\n" (voice.list)) (format t "version %s\\n" festival_version)', LOOK_TIMEOUT_MS, call);
        const text = stdout.toString('utf8');
        return text.includes(VOICE) ? /version (\S+)/.exec(text)?.[1] : undefined;
      } catch {
        return undefined;
      }
    },
    voiceFor: (language) => (/^en(-|$)/.test(language) ? VOICE : undefined),
    async synthesize(lines, voice, call) {
      const files = lines.map((_, index) => `line-${index}.wav`);
      const calls = lines.map((line, index) => `(speak_line "${toPlainEnglish(line)}" "${files[index]}")`);
      const { code, stdout, stderr } = await run(`(voice_${voice.name})${speedOf(voice)}${program}${calls.join('\n')}\n`, timeoutMsFor(lines), call);
      if (code !== 0) throw new ProgramError(`festival failed: ${stderr.slice(-300)}`);
      const words = parseReport(stdout.toString('utf8'));
      return Promise.all(files.map(async (file, index) => spokenLine(await readFile(join(call.folder, file)), words[index])));
    },
  };
}

/** The only setting of the voice's synthesizer that changes the speed; festival's own has no effect on it. */
function speedOf({ speed }: EngineVoice): string {
  return speed === 1 ? '' : `(set! hts_engine_params (append hts_engine_params (list (list "-r" ${speed.toFixed(3)}))))`;
}

function spokenLine(file: Buffer, words: TimedText[] | undefined): SynthesizedLine {
  const sound = parseWav(file);
  if (sound === undefined || words === undefined) throw new ProgramError('festival gave no sound');
  return { audio: sound, words };
}

function parseReport(report: string): TimedText[][] {
  const lines: TimedText[][] = [];
  let token = '';
  let isNew = false;
  for (const row of report.split('\n')) {
    const [kind, first = '', second = ''] = row.split('\t');
    if (kind === 'line') lines.push([]);
    if (kind === 'token') {
      token = first;
      isNew = true;
    }
    const words = lines.at(-1);
    if (kind !== 'part' || words === undefined) continue;
    const last = words.at(-1);
    if (isNew || last === undefined) words.push({ text: token, start: Number(first), end: Number(second) });
    else last.end = Number(second);
    isNew = false;
  }
  return lines;
}
