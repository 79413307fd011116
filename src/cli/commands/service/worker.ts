import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { censorKeys } from '../../../accounts/index.js';
import { loadConfig } from '../../../config/index.js';
import { integerOption } from '../../options.js';

const defaultDrainSeconds = 600;

export function registerWorkerCommand(program: Command): void {
  program
    .command('worker')
    .description('render jobs of services on other hosts, which share DATABASE_URL and FRAMEWRIGHT_STORAGE')
    .option('--drain-seconds <n>', 'time limit for running jobs after a request to stop', integerOption(0, 86_400), defaultDrainSeconds)
    .option('--json', 'print one JSON object when started')
    .action(work);
}

async function work({ drainSeconds, json }: { drainSeconds: number; json?: boolean }): Promise<void> {
  const config = loadConfig();
  const [{ runWorker }, { pino }] = await Promise.all([import('../../worker/run-worker.js'), import('pino')]);
  const log = pino(
    { name: 'framewright', hooks: { streamWrite: censorKeys }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
  const worker = await runWorker(config, log);
  const { workers } = config.jobs;
  const cores = availableParallelism();
  const { operatorUrl } = worker;
  const metrics = operatorUrl === undefined ? '' : `; metrics at ${operatorUrl}/metrics`;
  const text = `Framewright worker: ${workers} render ${workers === 1 ? 'process' : 'processes'} on ${cores} cores${metrics}`;
  console.log(json === true ? JSON.stringify({ workers, cores, operatorUrl }) : text);
  await new Promise<void>((resolve, reject) => {
    let stopping = false;
    const stop = (signal: NodeJS.Signals): void => {
      // The second signal requeues the running jobs at once.
      if (stopping) {
        worker.pool.skipGracePeriod();
        return;
      }
      stopping = true;
      log.info({ signal }, 'stopping when the running jobs are done');
      worker.close(drainSeconds * 1000).then(resolve, reject);
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  });
}
