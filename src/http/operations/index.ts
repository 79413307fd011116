export { createDiskMonitor } from './disk-monitor.js';
export { Metrics } from './metrics.js';
export { createReadiness, type Readiness, type ReadinessParts } from './readiness.js';
