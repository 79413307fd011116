import type { Clip } from './bench-program.js';
import type { HostDescription, SoftwareDescription } from './describe-host.js';
import type { Metric, Results } from './results.js';

/** Everything a trial found out: `results.json`. */
export interface ResultsDocument {
  finished: string;
  /** That makes it again. */
  command: string;
  rounds: number;
  seed: number;
  /** What the page shows first. */
  metric: Metric;
  vmafModel?: string;
  clips: Array<Clip & { sha256: string; source: string }>;
  /** What each configuration told its encoder, by name. */
  settings: Record<string, string>;
  unavailable: Array<{ name: string; reason: string }>;
  host: HostDescription;
  software: SoftwareDescription & { programs: Record<string, string> };
  results: Results;
}
