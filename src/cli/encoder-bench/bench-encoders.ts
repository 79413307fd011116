import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { childEnvironment, loadConfig } from '../../config/index.js';
import { AppError } from '../../errors/index.js';
import { type EncoderName, encoderNames } from '../../timeline/index.js';
import { UsageError } from '../exit-codes.js';
import { createProgressBar } from '../progress-bar.js';
import { anchorOf, type BenchEncodersOptions, listConfigurations, perEncoder, readEncoders, readLadder, readPresets, readThreads } from './bench-options.js';
import { type BenchProgram, createBenchProgram, type EncoderList } from './bench-program.js';
import { describeHost, describeSoftware } from './describe-host.js';
import { prepareClips } from './prepare-clips.js';
import { type Metric, metrics, summarise } from './results.js';
import type { ResultsDocument } from './results-document.js';
import { openResultsLog } from './results-log.js';
import { hashOf, runBenchmark } from './run-benchmark.js';
import { type Configuration, defaults } from './settings.js';
import { findVmaf } from './vmaf.js';
import { writeResults } from './write-results.js';

/** Runs `bench encoders`: prepares the clips, measures all configurations and writes the results. */
export async function benchEncoders(inputs: readonly string[], options: BenchEncodersOptions): Promise<void> {
  const plan = readOptions(options);
  const cancel = new AbortController();
  process.once('SIGINT', () => cancel.abort(new Error('Stopped. Run the same command again to continue.')));
  const environment = definedOnly(childEnvironment({}));
  const folder = resolve(options.output);
  await mkdir(folder, { recursive: true });
  const workDir = await mkdtemp(join(folder, 'work-'));
  const clipsDir = options.keep ? join(folder, 'clips') : workDir;
  await mkdir(clipsDir, { recursive: true });
  const bar = createProgressBar();
  try {
    const program = createBenchProgram(cancel.signal, options.timeout);
    const host = await describeHost();
    const list = await program.list();
    const encoders = choose(plan.encoders, list);
    const configurations = listConfigurations(encoders, plan.presets, plan.threads);
    const anchor = anchorOf(configurations, options.anchor);
    const vmaf = await findVmaf(environment, workDir, cancel.signal);
    if (plan.metric === 'vmaf' && vmaf === undefined) throw new UsageError('--metric vmaf: the program vmaf is not on PATH.');
    const onStage = (stage: string): void => bar.update(0, stage);
    const clips = await prepareClips(inputs, options.frames, clipsDir, { program, config: loadConfig(), signal: cancel.signal, onStage });
    const { points, failures } = await runBenchmark(
      {
        clips,
        configurations,
        ladder: ({ encoder }) => plan.ladder(encoder) ?? defaults[encoder].ladder.map((crf) => ({ crf })),
        rounds: options.rounds,
        seed: options.seed,
        workDir,
        onProgress: bar.update,
      },
      { program, log: await openResultsLog(folder), vmaf, signal: cancel.signal },
    );
    bar.stop();
    const document: ResultsDocument = {
      finished: new Date().toISOString(),
      command: commandOf(inputs, options),
      rounds: options.rounds,
      seed: options.seed,
      metric: plan.metric,
      ...(vmaf !== undefined && { vmafModel: points[0]?.quality.vmaf?.model ?? 'unknown' }),
      clips: await Promise.all(clips.map(async (clip) => ({ ...clip, sha256: await hashOf(clip.path) }))),
      settings: await settingsOf(configurations, program),
      unavailable: list.encoders.filter(({ available }) => !available).map(({ name, reason }) => ({ name, reason })),
      host,
      software: { ...(await describeSoftware(list.libraries, environment, cancel.signal)), programs: vmaf === undefined ? {} : { vmaf: vmaf.version } },
      results: summarise(points, failures, configurations, anchor.name),
    };
    const paths = await writeResults(folder, document);
    for (const { clip, configuration, step, reason } of failures) console.error(`failed: ${configuration}, ${step}, ${clip}: ${reason}`);
    console.log(options.json ? JSON.stringify({ ...paths, points: points.length, failures: failures.length }) : Object.values(paths).join('\n'));
    if (points.length === 0) throw new AppError('INTERNAL_ERROR', { message: 'No encoding succeeded. The report lists the reasons.' });
  } finally {
    bar.stop();
    await rm(workDir, { recursive: true, force: true });
  }
}

function readOptions(options: BenchEncodersOptions) {
  const metric = (Object.keys(metrics) as Metric[]).find((name) => name === options.metric);
  if (metric === undefined) throw new UsageError(`--metric: "${options.metric}" must be one of ${Object.keys(metrics).join(', ')}.`);
  return {
    metric,
    encoders: options.encoders === undefined ? undefined : readEncoders(options.encoders),
    presets: perEncoder('--presets', options.presets, readPresets),
    ladder: perEncoder('--ladder', options.ladder, readLadder),
    threads: readThreads(options.threads, availableParallelism()),
  };
}

/** Returns the requested encoders, all of which must open, or by default every encoder that opens. */
function choose(wanted: readonly EncoderName[] | undefined, { encoders }: EncoderList): EncoderName[] {
  const probed = new Map(encoders.map((encoder) => [encoder.name, encoder]));
  for (const name of wanted ?? []) {
    const result = probed.get(name);
    if (result?.available !== true) throw new UsageError(`--encoders: ${name} does not open on this host (${result?.reason ?? 'unknown to the engine'}).`);
  }
  return wanted === undefined ? encoderNames.filter((name) => probed.get(name)?.available) : [...wanted];
}

async function settingsOf(configurations: readonly Configuration[], program: BenchProgram): Promise<Record<string, string>> {
  const settings: Record<string, string> = {};
  for (const configuration of configurations) {
    const text = await program.settings(configuration, 23);
    settings[configuration.name] = `${text.replace(/\b(crf|cq|qp)=23(\.0+)?\b/, '$1=…')} threads=${configuration.threads}`;
  }
  return settings;
}

function commandOf(inputs: readonly string[], options: BenchEncodersOptions): string {
  const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const option = (name: string, value: string | number | undefined): string[] => (value === undefined ? [] : [`--${name}`, String(value)]);
  const words = [
    ...inputs.map((input) => resolve(input)),
    ...option('encoders', options.encoders),
    ...options.presets.flatMap((text) => option('presets', text)),
    ...options.ladder.flatMap((text) => option('ladder', text)),
    ...option('rounds', options.rounds),
    ...option('threads', options.threads),
    ...option('frames', options.frames),
    ...option('anchor', options.anchor),
    ...option('metric', options.metric),
    ...option('seed', options.seed),
    ...option('output', options.output),
  ];
  return `npm run -s framewright -- bench encoders ${words.map(quoted).join(' ')}`;
}

function definedOnly(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
