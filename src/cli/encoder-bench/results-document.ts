import type { Clip } from './bench-program.js';
import type { HostDescription, SoftwareDescription } from './describe-host.js';
import type { Metric, Results } from './results.js';

/** Content of `results.json`. */
export interface ResultsDocument {
  finished: string;
  /** Command that repeats the benchmark. */
  command: string;
  rounds: number;
  seed: number;
  /** Metric that the report shows first. */
  metric: Metric;
  vmafModel?: string;
  clips: Array<Clip & { sha256: string; source: string }>;
  /** Encoder options by configuration name. */
  settings: Record<string, string>;
  unavailable: Array<{ name: string; reason: string }>;
  host: HostDescription;
  software: SoftwareDescription & { programs: Record<string, string> };
  results: Results;
}
