import { Random } from './random.js';

export const hostCount = 3;

/** What a commit writes; faults wait for the next one of a kind. */
export const commitKinds = {
  any: /./,
  submission: /insert into "jobs"/,
  claim: /update "jobs".*"started_at" = /s,
  progress: /update "jobs" set "progress" = (?!.*"started_at")/s,
  settlement: /insert into "ledger_entries"(?!.*insert into "jobs")/s,
  purchase: /insert into "provider_purchases"/,
  completion: /"duration_seconds" = /,
  failure: /"error_code" = /,
  'delivery claim': /update "deliveries" set (?=.*"token" = )(?=.*"runs" = )/s,
  'delivery outcome': /update "deliveries" set (?=.*"finished_at" = )(?!.*update "jobs")/s,
} as const;
export type CommitKind = keyof typeof commitKinds;

/** What a receiver does with the first request for a job; it accepts all others. */
export type ReceiverBehaviour = 'accept' | 'slow' | 'refuse-first' | 'hang-first';

export interface JobStep {
  type: 'job';
  atMs: number;
  /** Number within the history. */
  number: number;
  host: number;
  mode: 'live' | 'test';
  renderMs: number;
  /** `die-once` and `die`: the render process is killed in the first attempt, or in each. */
  outcome: 'complete' | 'fail' | 'die-once' | 'die';
  /** Price after planning; the estimate is 2. */
  credits: number;
  /** Prices in millionths of a credit. */
  purchases: readonly number[];
  webhook?: ReceiverBehaviour;
  export?: ReceiverBehaviour;
}

export type FaultStep = { atMs: number; host: number } & (
  | { type: 'commit'; kind: CommitKind; fate: 'cut-before' | 'cut-after' | 'hold' | 'delay' | 'freeze'; count: number }
  | { type: 'cut' | 'drop'; ms: number }
  | { type: 'latency'; ms: number; delayMs: number }
  | { type: 'kill' | 'terminate'; downMs: number }
  | { type: 'pause'; ms: number }
  | { type: 'kill-worker' }
  | { type: 'clock'; seconds: number }
  | { type: 'database-crash'; downMs: number }
);

export type Step = JobStep | FaultStep;

/** A history: jobs of one account and faults of the hosts. The same seed gives the same history. */
export interface History {
  seed: number;
  /** `containers`: each host is process 1 of its own pid namespace, and all have one host name. */
  isolation: 'containers' | 'processes';
  /** In order of time. */
  steps: readonly Step[];
}

export const isolationOf = (seed: number): History['isolation'] => (seed % 2 === 0 ? 'containers' : 'processes');

/** Kinds that decide what is lost or paid come more often. */
const weightedKinds: readonly CommitKind[] = [
  'any',
  'submission',
  'submission',
  'claim',
  'claim',
  'progress',
  'settlement',
  'settlement',
  'purchase',
  'completion',
  'completion',
  'completion',
  'failure',
  'failure',
  'delivery claim',
  'delivery claim',
  'delivery outcome',
  'delivery outcome',
];

export function createHistory(seed: number): History {
  const random = new Random(seed);
  const jobs = Array.from({ length: random.integer(3, 7) }, (_, number) => createJob(random, number));
  const faults: FaultStep[] = [];
  for (let left = random.integer(1, 4); left > 0; left -= 1) faults.push(createFault(random, faults));
  return { seed, isolation: isolationOf(seed), steps: [...jobs, ...faults].sort((a, b) => a.atMs - b.atMs) };
}

function createJob(random: Random, number: number): JobStep {
  const mode = random.chance(0.2) ? 'test' : 'live';
  const behaviours: readonly ReceiverBehaviour[] = ['accept', 'accept', 'slow', 'refuse-first', 'hang-first'];
  return {
    type: 'job',
    atMs: random.integer(0, 1500),
    number,
    host: random.integer(0, hostCount - 1),
    mode,
    renderMs: random.pick([0, 50, 200, 600, 1500]),
    outcome: random.pick(['complete', 'complete', 'complete', 'complete', 'complete', 'fail', 'die-once', 'die']),
    credits: random.pick([1, 2, 2, 3]),
    purchases: mode === 'live' && random.chance(0.25) ? Array.from({ length: random.integer(1, 2) }, () => random.pick([400_000, 1_500_000])) : [],
    ...(random.chance(0.6) && { webhook: random.pick(behaviours) }),
    // A hanging export would time out after 30 s.
    ...(random.chance(0.4) && { export: random.pick(behaviours.slice(0, 4)) }),
  };
}

function createFault(random: Random, earlier: readonly FaultStep[]): FaultStep {
  const at = { atMs: random.integer(0, 2200), host: random.integer(0, hostCount - 1) };
  const rare = (type: FaultStep['type'], max: number): boolean => earlier.filter((fault) => fault.type === type).length >= max;
  switch (random.integer(0, 15)) {
    case 0:
      return { ...at, type: 'cut', ms: random.pick([300, 1500, 5500]) };
    case 1:
      return { ...at, type: 'drop', ms: random.pick([500, 2500, 5500]) };
    case 2:
      return { ...at, type: 'latency', ms: random.pick([1000, 3000]), delayMs: random.pick([20, 100, 300]) };
    case 3:
    case 4:
      // An export may be interrupted twice by a dying service.
      if (!rare('kill', 2)) return { ...at, type: 'kill', downMs: random.pick([0, 500, 2500]) };
      break;
    case 5:
      if (!rare('terminate', 1)) return { ...at, type: 'terminate', downMs: random.pick([0, 1000]) };
      break;
    case 6:
    case 7:
      return { ...at, type: 'pause', ms: random.pick([300, 1200, 5000, 9000, 9000]) };
    case 8:
      if (!rare('kill-worker', 1)) return { ...at, type: 'kill-worker' };
      break;
    case 9:
    case 10:
      return { ...at, type: 'clock', seconds: random.pick([-3600, -120, 120, 120, 3600]) };
    case 11:
      if (!rare('database-crash', 1)) return { ...at, type: 'database-crash', downMs: random.pick([0, 1500]) };
      break;
  }
  // A host that stops after a claim comes back when others have long claimed the same.
  if (random.chance(0.3)) return { ...at, type: 'commit', kind: random.pick(['claim', 'delivery claim', 'delivery claim']), fate: 'freeze', count: 1 };
  const fate = random.pick(['cut-before', 'cut-after', 'cut-after', 'cut-after', 'hold', 'delay'] as const);
  return { ...at, type: 'commit', kind: random.pick(weightedKinds), fate, count: random.pick([1, 1, 2]) };
}

export function describeStep(step: Step): string {
  const { atMs, ...rest } = step;
  return `${String(atMs).padStart(5)} ms ${JSON.stringify(rest)}`;
}
