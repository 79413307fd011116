export { createDiskMonitor } from './disk-monitor.js';
export { Metrics, type MetricsParts } from './metrics.js';
export { createReadiness, type Readiness, type ReadinessParts } from './readiness.js';
