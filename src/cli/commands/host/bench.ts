import type { Command } from 'commander';
import type { BenchEncodersOptions } from '../../encoder-bench/bench-options.js';
import type { BenchGpuOptions } from '../../gpu-bench/bench-gpu.js';
import { integerOption } from '../../options.js';

const collect = (text: string, previous: string[]): string[] => [...previous, text];

export function registerBenchCommand(program: Command): void {
  const bench = program.command('bench').description('measure this host');
  bench
    .command('encoders')
    .description('compare the encoders of this host by rate, quality, speed, CPU time and memory; writes JSON, CSV and an HTML report')
    .argument('<inputs...>', 'movie scripts (.json), media files, or raw video (.y4m)')
    .requiredOption('-o, --output <folder>', 'folder for the results; a stopped benchmark continues from the measurements in it')
    .option('--encoders <list>', 'e.g. libx264,h264_nvenc; default: all that open')
    .option('--presets <[encoder:]list>', 'presets of the encoder, e.g. libx264:veryfast,medium; may be repeated', collect, [])
    .option('--ladder <[encoder:]list>', 'qualities (18,23,28,33) or bit rates (500k,1M,2M,4M); may be repeated; BD-rates need at least four', collect, [])
    .option('--rounds <number>', 'number of rounds in which everything is encoded', integerOption(1, 100), 3)
    .option('--threads <list>', 'thread counts, N for one per core, e.g. 1,N', 'N')
    .option('--frames <number>', 'maximum number of frames of each clip', integerOption(1, 1_000_000), 120)
    .option('--anchor <encoder[:preset]>', 'reference of the comparison; default: libx264:veryfast, else the first encoder')
    .option('--metric <name>', 'metric that the report shows first: xpsnr, psnr, ssim or vmaf', 'xpsnr')
    .option('--seed <number>', 'seed of the order in each round', integerOption(0, 2 ** 32 - 1), 1)
    .option('--timeout <seconds>', 'time limit of one encoding', integerOption(1, 86_400), 1800)
    .option('--keep', 'keep the raw video of the clips')
    .option('--json', 'print the paths as one JSON object')
    .action(async (inputs: string[], options: BenchEncodersOptions) => (await import('../../encoder-bench/bench-encoders.js')).benchEncoders(inputs, options));
  bench
    .command('gpu')
    .description('check what the graphics devices of this host compose, decode and encode, as renders use them, and how fast; writes JSON and a page')
    .requiredOption('-o, --output <folder>', 'folder for gpu.json and gpu.html')
    .option('--cases <number>', 'random frames that are compared with the CPU', integerOption(0, 1_000_000), 500)
    .option('--no-speed', 'do not measure speed')
    .option('--json', 'print the paths as one JSON object')
    .action(async (options: BenchGpuOptions) => (await import('../../gpu-bench/bench-gpu.js')).benchGpu(options));
}
