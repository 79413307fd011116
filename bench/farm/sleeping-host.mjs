import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { runWorker } from '../../dist/cli/worker/run-worker.js';
import { loadConfig } from '../../dist/config/index.js';

/** `framewright worker` as it is, but that its render processes sleep. */
const worker = await runWorker(loadConfig(), pino(pino.destination({ dest: 2, sync: true })), fileURLToPath(new URL('./sleeping-render.mjs', import.meta.url)));
process.on('SIGTERM', () => void worker.close(5000).then(() => process.exit(0)));
