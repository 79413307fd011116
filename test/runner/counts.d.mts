export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  problem: string | undefined;
}

interface Run {
  code: number | null;
  signal: string | null;
  timedOut: boolean;
  output: string;
}

export function doctestCounts(run: Run): Counts;

export function sharedDoctestCounts(runs: readonly Run[], expected: number): Counts;

export function vitestCounts(
  report: {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
    numTodoTests: number;
    testResults: Array<{ status: string; assertionResults: unknown[] }>;
  },
  code: number | null,
): Counts;
