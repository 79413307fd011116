import type { Violation } from './checks.js';
import { Fleet, type FleetOptions, type Outcome } from './fleet.js';
import { createHistory, describeStep, type History, isolationOf, type Step } from './history.js';

/** A history that has broken a rule. */
export interface Failure {
  seed: number;
  violations: Violation[];
  /** The history, what happened, and the hosts' logs. */
  report: string;
}

export interface Exploration {
  histories: number;
  jobs: number;
  /** How often each fault took effect. */
  faults: Map<string, number>;
  failures: Failure[];
  seconds: number;
}

export interface ExploreOptions extends Omit<FleetOptions, 'isolation'> {
  seeds: readonly number[];
  /** Fleets that run histories beside each other, per isolation. */
  fleets: number;
  /** Ends the exploration at the first failure. */
  stopsAtFailure?: boolean;
  /** No further history starts after this time (monotonic ms). */
  deadline?: number;
  onHistory?: (seed: number, outcome: Outcome) => void;
  /** Called as soon as a history has broken a rule. */
  onFailure?: (failure: Failure) => void;
}

/** Runs the histories of these seeds. A fleet that broke a rule is replaced. */
export async function explore(options: ExploreOptions): Promise<Exploration> {
  const startedAt = performance.now();
  const result: Exploration = { histories: 0, jobs: 0, faults: new Map(), failures: [], seconds: 0 };
  const isOver = (): boolean =>
    (options.stopsAtFailure === true && result.failures.length > 0) || performance.now() > (options.deadline ?? Number.POSITIVE_INFINITY);
  const work = (['containers', 'processes'] as const).flatMap((isolation) => {
    const queue = options.seeds.filter((seed) => isolationOf(seed) === isolation);
    return Array.from({ length: Math.min(options.fleets, queue.length) }, () => runQueue(isolation, queue, options, isOver, result));
  });
  await Promise.all(work);
  result.seconds = (performance.now() - startedAt) / 1000;
  return result;
}

async function runQueue(isolation: History['isolation'], queue: number[], options: ExploreOptions, isOver: () => boolean, result: Exploration): Promise<void> {
  let fleet: Fleet | undefined;
  const close = async (): Promise<void> => {
    const closing = fleet;
    fleet = undefined;
    const lost = (await closing?.findLostOutputs()) ?? [];
    if (lost.length > 0) result.failures.push({ seed: -1, violations: lost, report: closing?.logs() ?? '' });
    await closing?.close();
  };
  try {
    for (let seed = queue.shift(); seed !== undefined && !isOver(); seed = queue.shift()) {
      fleet ??= await Fleet.start({ isolation, dist: options.dist, realWorker: options.realWorker });
      const history = createHistory(seed);
      const outcome = await fleet.run(history);
      result.histories += 1;
      result.jobs += outcome.jobs;
      for (const fault of outcome.faults) result.faults.set(fault, (result.faults.get(fault) ?? 0) + 1);
      options.onHistory?.(seed, outcome);
      if (outcome.violations.length === 0) continue;
      const failure = { seed, violations: outcome.violations, report: describeFailure(history, outcome, fleet) };
      result.failures.push(failure);
      options.onFailure?.(failure);
      const broken = fleet;
      fleet = undefined;
      await broken.close();
    }
  } finally {
    await close();
  }
}

function describeFailure(history: History, outcome: Outcome, fleet: Fleet): string {
  const violations = outcome.violations.map(({ rule, detail }) => `  broken: ${rule}: ${detail}`);
  return [`history ${history.seed} (${history.isolation})`, ...history.steps.map(describeStep), ...violations, ...outcome.log, fleet.logs()].join('\n');
}

/** Leaves out steps of a failing history as long as it still fails, trying each shorter history twice. Returns the shortest one found. */
export async function shrink(
  history: History,
  options: Omit<FleetOptions, 'isolation'>,
  deadline: number,
): Promise<{ history: History; outcome: Outcome | undefined }> {
  let best: { history: History; outcome: Outcome | undefined } = { history, outcome: undefined };
  for (let index = history.steps.length - 1; index >= 0; index -= 1) {
    const steps: Step[] = best.history.steps.filter((_, place) => place !== index);
    for (let attempt = 0; attempt < 2 && performance.now() < deadline; attempt += 1) {
      const fleet = await Fleet.start({ ...options, isolation: history.isolation });
      const shorter = { ...history, steps };
      const outcome = await fleet.run(shorter).finally(() => fleet.close());
      if (outcome.violations.length === 0) continue;
      best = { history: shorter, outcome };
      break;
    }
  }
  return best;
}
