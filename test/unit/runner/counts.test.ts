import { describe, expect, it } from 'vitest';
import { doctestCounts, sharedDoctestCounts, vitestCounts } from '../../runner/counts.mjs';

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

  const range = (cases: number, failed: number, code: number) => ({
    code,
    signal: null,
    timedOut: false,
    output: `${Array.from({ length: cases }, (_, k) => `0.0${k}1000 s: case ${k}\n`).join('')}${summary(12 - failed, failed, 3)}`,
  });

  it('adds up doctest runs that had a part of the cases each', () => {
    expect(sharedDoctestCounts([range(8, 0, 0), range(4, 0, 0)], 12)).toEqual({ passed: 12, failed: 0, skipped: 3, problem: undefined });
    expect(sharedDoctestCounts([range(8, 2, 1), range(4, 0, 0)], 12)).toMatchObject({ passed: 10, failed: 2, problem: '2 test cases failed (exit code 1)' });
    expect(sharedDoctestCounts([range(8, 0, 23), range(4, 0, 0)], 12)).toMatchObject({ passed: 11, failed: 1 });
  });

  it('counts cases that no run had, or that one ended in the middle of, as a failure', () => {
    expect(sharedDoctestCounts([range(8, 0, 0), range(3, 0, 0)], 12)).toMatchObject({ failed: 1, problem: '11 of 12 test cases ran' });
    const crashed = { ...range(2, 0, 0), code: null, signal: 'SIGSEGV', output: '0.010000 s: case 1\n' };
    expect(sharedDoctestCounts([range(8, 0, 0), crashed], 12)).toMatchObject({ failed: 1, problem: 'no summary: ended by SIGSEGV; 9 of 12 test cases ran' });
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
