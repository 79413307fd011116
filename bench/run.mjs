import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm run bench -- NAME [options]`: builds what the trial needs and runs it; options go to the trial. */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const buildDir = join(root, 'build', 'bench');

const trials = {
  compositor: {
    about: 'drawing a frame on the CPU beside encoding it with x264 veryfast (--frames N, --json)',
    run(options) {
      if (!existsSync(join(buildDir, 'build.ninja')))
        call('cmake', ['-S', join(root, 'native'), '-B', buildDir, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release'], 'ignore');
      call('ninja', ['-C', buildDir, 'compose_bench'], 'ignore');
      call(join(buildDir, 'compose_bench'), options, 'inherit');
    },
  },
  effects: {
    about: 'effects on a 1080p frame beside filters of ffmpeg: CPU time of one thread, in turns (--rounds N, --frames N)',
    run(options) {
      trials.compositor.run(['--frames', '0', '--only', 'nothing']);
      call(process.execPath, [join(root, 'bench', 'effects', 'run.mjs'), ...options], 'inherit');
    },
  },
  movies: {
    about:
      'whole movies beside other programs and encoding alone (--quick, --only slideshow,overlay,cards,films,template, --encode veryfast:23, --rounds N, --json)',
    run(options) {
      call(process.execPath, [join(root, 'bench', 'movies', 'run.mjs'), ...options], 'inherit');
    },
  },
  outputs: {
    about:
      'files of one job: frames beside the composed ones in every format, GIF beside palettegen, cost and memory together (--clips FOLDER, --only matrix,gif,together,memory, --rounds N, --json FILE)',
    run(options) {
      call(process.execPath, [join(root, 'bench', 'outputs', 'run.mjs'), ...options], 'inherit');
    },
  },
  footage: {
    about:
      'data at equal quality on real clips, beside a plain encoder (--clips FOLDER, --only ID,ID, --half held-out, --plans footage,drawn, --preset WORD, --anchor WORD, --json FILE)',
    run(options) {
      call(process.execPath, [join(root, 'bench', 'footage', 'run.mjs'), ...options], 'inherit');
    },
  },
  start: {
    about: 'how long a frame, a check and a short render take beside Node itself, joined and module by module (--rounds N, --json)',
    run(options) {
      call(process.execPath, [join(root, 'bench', 'start', 'run.mjs'), ...options], 'inherit');
    },
  },
  preview: {
    about: 'previews: after a text was edited and while somebody scrubs, beside framewright frame (--rounds N, --scrub N, --width N, --json)',
    run(options) {
      call(process.execPath, [join(root, 'bench', 'preview', 'run.mjs'), ...options], 'inherit');
    },
  },
  identity: {
    about: 'decoded frames and sound of all examples and bench movies, as hashes, beside another built checkout (--beside DIR, --only NAME, --json FILE)',
    run(options) {
      call(process.execPath, [join(root, 'bench', 'identity', 'run.mjs'), ...options], 'inherit');
    },
  },
  script: {
    about: 'validating, expanding and compiling scripts, beside JSON.parse of the same text (--json FILE)',
    run(options) {
      call(process.execPath, [join(root, 'bench', 'script', 'run.mjs'), ...options], 'inherit');
    },
  },
  service: {
    about:
      'the service: renders accepted and jobs shown a second beside a bare Fastify, answers while renders go on, 5,000 streams (--only accepting,busy,streams, --database sqlite,postgres, --accounts N, --beside DIR, --seconds N, --rounds N, --streams N, --json)',
    run(options) {
      call(process.execPath, [join(root, 'bench', 'service', 'run.mjs'), ...options], 'inherit');
    },
  },
  farm: {
    about:
      'hundreds of simulated render processes on the real queue and a real PostgreSQL, orders at one rate after the other, crashes (--rates 1000,10000, --seconds N, --hosts N, --slots N, --crashes N an hour and host, --json)',
    run(options) {
      call(process.execPath, [join(root, 'bench', 'farm', 'run.mjs'), ...options], 'inherit');
    },
  },
};

function call(program, args, output) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: ['ignore', output, 'inherit'] });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

const [name, ...options] = process.argv.slice(2);
const trial = Object.hasOwn(trials, name ?? '') ? trials[name] : undefined;
if (trial === undefined) {
  console.error(name === undefined ? 'Which trial? npm run bench -- NAME' : `There is no trial "${name}".`);
  for (const [known, { about }] of Object.entries(trials)) console.error(`  ${known.padEnd(12)} ${about}`);
  process.exit(2);
}
trial.run(options);
