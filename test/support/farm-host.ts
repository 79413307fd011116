import { type ChildProcess, spawn } from 'node:child_process';
import { cliPath } from './cli.js';

/** A `framewright worker` process that acts as another machine. */
export interface RenderHost {
  pid: number;
  dataDir: string;
  log(): string;
  /** The metrics in the Prometheus text format. */
  metrics(): Promise<string>;
  /** Segments that it has started. */
  partsOf(jobId: string): number;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Resolves when the worker has joined the render farm. */
export async function startFarmHost(dataDir: string, environment: Record<string, string>, within: readonly string[] = []): Promise<RenderHost> {
  const [program = process.execPath, ...args] = [...within, process.execPath, cliPath, 'worker'];
  const child: ChildProcess = spawn(program, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, FRAMEWRIGHT_DATA_DIR: dataDir, FRAMEWRIGHT_METRICS_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('this host is part of the farm')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the worker exited with ${code}: ${log}`)));
  });
  return {
    pid: child.pid ?? 0,
    dataDir,
    log: () => log,
    metrics: async () => (await fetch(/http:\S+\/metrics/.exec(said)?.[0] ?? '')).text(),
    partsOf: (jobId) => log.split('\n').filter((line) => line.includes('a part of a movie starts') && line.includes(jobId)).length,
    end: (signal) => {
      child.kill(signal);
      return exited;
    },
  };
}
