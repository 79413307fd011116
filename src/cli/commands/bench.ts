import type { Command } from 'commander';
import type { BenchEncodersOptions } from '../encoder-bench/bench-options.js';
import { integerOption } from '../options.js';

const collect = (text: string, before: string[]): string[] => [...before, text];

export function registerBenchCommand(program: Command): void {
  const bench = program.command('bench').description('compare what this host offers');
  bench
    .command('encoders')
    .description('compare the encoders that open on this host: rate, quality, speed, CPU time and memory; JSON, CSV and a report')
    .argument('<inputs...>', 'movie scripts (.json), media files, or raw pictures (.y4m)')
    .requiredOption('-o, --output <folder>', 'folder of the results; a trial that was stopped goes on from what is there')
    .option('--encoders <list>', 'e.g. libx264,h264_nvenc; default: all that open')
    .option('--presets <[encoder:]list>', 'presets in the words of the encoder, e.g. libx264:veryfast,medium; may be repeated', collect, [])
    .option('--ladder <[encoder:]list>', 'qualities (18,23,28,33) or rates (500k,1M,2M,4M); may be repeated; BD-rates need four', collect, [])
    .option('--rounds <number>', 'how often everything is encoded', integerOption(1, 100), 3)
    .option('--threads <list>', 'numbers of threads, N for one per core, e.g. 1,N', 'N')
    .option('--frames <number>', 'pictures of each clip', integerOption(1, 1_000_000), 120)
    .option('--anchor <encoder[:preset]>', 'what the others are compared with; default: libx264:veryfast, or the first')
    .option('--metric <name>', 'xpsnr, psnr, ssim or vmaf: what the report shows first', 'xpsnr')
    .option('--seed <number>', 'of the order in the rounds', integerOption(0, 2 ** 32 - 1), 1)
    .option('--timeout <seconds>', 'for one encoding, after which it counts as failed', integerOption(1, 86_400), 1800)
    .option('--keep', 'keep the raw pictures of the clips')
    .option('--json', 'print the paths as one JSON object when done')
    .action(async (inputs: string[], options: BenchEncodersOptions) => (await import('../encoder-bench/bench-encoders.js')).benchEncoders(inputs, options));
}
