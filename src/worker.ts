import { loadBundle } from './config/precompiled/index.js';

// A type alone: the modules are only loaded where there is no bundle of them.
type RenderWorker = typeof import('./render-worker.js');

const { startWorker } = (loadBundle('worker') as RenderWorker | undefined) ?? (await import('./render-worker.js'));
await startWorker();
