export { createDiskRoom } from './disk-room.js';
export { Metrics, type MetricsParts } from './metrics.js';
export { createReadiness, type Readiness, type ReadinessParts } from './readiness.js';
