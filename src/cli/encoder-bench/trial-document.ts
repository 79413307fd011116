import type { Clip } from './bench-program.js';
import type { HostFacts, SoftwareFacts } from './host-facts.js';
import type { Metric, Results } from './results.js';

/** Everything a trial found out: `results.json`. */
export interface TrialDocument {
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
  host: HostFacts;
  software: SoftwareFacts & { programs: Record<string, string> };
  results: Results;
}
