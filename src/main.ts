import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { censorKeys } from './accounts/index.js';
import { startApp } from './app.js';
import { type Config, ConfigError, loadConfig } from './config/index.js';

/** How much of the log may wait while it cannot be written. */
const unwrittenBytes = 1024 ** 2;

/** Standard output gets two lines, the address and that of the page; the log goes to standard error. */
function createLog(): ReturnType<typeof pino> {
  const destination = pino.destination({ dest: 2, sync: true, maxLength: unwrittenBytes });
  // A log that cannot be written (a full disk) is no reason to stop: lines wait, then are lost, and go on when there is room again.
  destination.on('error', () => {});
  return pino({ name: 'framewright', hooks: { streamWrite: censorKeys }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

async function serve(config: Config): Promise<void> {
  const log = createLog();
  const app = await startApp({ config, log, workerPath: fileURLToPath(new URL('./worker.js', import.meta.url)) });
  console.log(`Framewright listens on ${app.address}\nStudio: ${app.address}/`);

  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) {
      // The second signal: jobs in hand go back to the queue at once.
      app.pool.skipGracePeriod();
      return;
    }
    stopping = true;
    log.info({ signal }, 'stopping');
    app.close().then(
      () => log.info('stopped'),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exitCode = 1;
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

try {
  await serve(loadConfig());
} catch (error) {
  const known = error instanceof ConfigError || (error as NodeJS.ErrnoException).syscall === 'listen';
  console.error(`framewright: ${error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error)}`);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}
