import { describe, expect, it } from 'vitest';
import { doctestCounts, vitestCounts } from '../../runner/counts.mjs';

const summary = (passed: number, failed: number, skipped = 0): string =>
  `[doctest] test cases:  ${passed + failed} |  ${passed} passed | ${failed} failed | ${skipped} skipped\n[doctest] assertions: 90 | 90 passed | 0 failed |`;

describe('what the test runner counts', () => {
  it('takes the numbers of a good doctest run', () => {
    expect(doctestCounts({ code: 0, signal: null, timedOut: false, output: summary(12, 0, 3) })).toMatchObject({ passed: 12, failed: 0, skipped: 3 });
  });

  it('takes the numbers of a doctest run with failures', () => {
    expect(doctestCounts({ code: 1, signal: null, timedOut: false, output: summary(10, 2) })).toMatchObject({ passed: 10, failed: 2 });
  });

  it('counts a crash without a summary as a failure', () => {
    expect(doctestCounts({ code: null, signal: 'SIGSEGV', timedOut: false, output: 'started' })).toMatchObject({
      passed: 0,
      failed: 1,
      problem: 'no summary: ended by SIGSEGV',
    });
  });

  it('counts a good end without a summary as a failure', () => {
    expect(doctestCounts({ code: 0, signal: null, timedOut: false, output: '' })).toMatchObject({ failed: 1 });
  });

  it('counts a leak that is reported after the last test as a failure', () => {
    expect(doctestCounts({ code: 23, signal: null, timedOut: false, output: summary(10, 0) })).toMatchObject({ passed: 10, failed: 1 });
  });

  const report = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [{ status: 'passed', assertionResults: [{}] }] };

  it('takes the numbers of a good vitest run', () => {
    expect(vitestCounts(report, 0)).toMatchObject({ passed: 5, failed: 0, skipped: 2 });
  });

  it('counts a test file that could not be loaded as a failure', () => {
    const broken = { ...report, testResults: [...report.testResults, { status: 'failed', assertionResults: [] }] };
    expect(vitestCounts(broken, 1)).toMatchObject({ passed: 5, failed: 1 });
  });

  it('counts an error outside the tests as a failure', () => {
    expect(vitestCounts(report, 1)).toMatchObject({ passed: 5, failed: 1 });
  });
});
