export interface Failure {
  /** `file: title` for vitest, `file:line: name` for doctest. */
  test: string;
  /** What the test program printed about it, at most 20 lines. */
  lines: string[];
}

export interface Results {
  passed: number;
  failed: number;
  skipped: number;
  /** Why the run as a whole is not good. */
  problem?: string | undefined;
  failures: Failure[];
}

interface Run {
  code: number | null;
  signal: string | null;
  timedOut: boolean;
  output: string;
}

/** Reads the output of one doctest process. A process without a summary line, or with a bad exit that no test case explains, counts as one failure. */
export function doctestResults(run: Run): Results;

/** Adds up doctest processes that ran different ranges of `expected` test cases. */
export function joinDoctestResults(runs: readonly Run[], expected: number): Results;

/** Reads the JSON report of vitest. A file that cannot be loaded counts as one failure. */
export function vitestResults(
  report: {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
    numTodoTests: number;
    testResults: Array<{
      name: string;
      status: string;
      message: string;
      assertionResults: Array<{ status: string; ancestorTitles: string[]; title: string; failureMessages: string[] }>;
    }>;
  },
  code: number | null,
): Results;

/** The lines that close a run: one per program, every failed test with its message, and the totals last. */
export function formatSummary(programs: ReadonlyArray<{ name: string; seconds: number; results: Results }>): string[];
