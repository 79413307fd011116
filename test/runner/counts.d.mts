export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  problem: string | undefined;
}

export function doctestCounts(run: { code: number | null; signal: string | null; timedOut: boolean; output: string }): Counts;

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
