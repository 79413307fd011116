import { describe, expect, it } from 'vitest';
import { doctestResults, formatSummary, joinDoctestResults, vitestResults } from '../../runner/results.mjs';

const root = process.cwd();
const rule = '='.repeat(79);
const summary = (passed: number, failed: number, skipped = 0): string =>
  `${rule}\n[doctest] test cases:  ${passed + failed} |  ${passed} passed | ${failed} failed | ${skipped} skipped\n[doctest] assertions: 90 | 90 passed | 0 failed |`;
const header = (line: number, name: string): string => `${rule}\n${root}/test/native/blend_test.cc:${line}:\nTEST CASE:  ${name}\n`;
const run = (output: string, code: number | null = 1, signal: string | null = null) => ({ code, signal, timedOut: false, output });

describe('results of a doctest process', () => {
  it('reads the numbers of the summary line', () => {
    expect(doctestResults(run(summary(12, 0, 3), 0))).toEqual({ passed: 12, failed: 0, skipped: 3, failures: [] });
    expect(doctestResults(run(summary(10, 2)))).toMatchObject({ passed: 10, failed: 2 });
  });

  it('counts a missing summary line as a failure, after a crash and after a good exit', () => {
    expect(doctestResults(run('started', null, 'SIGSEGV'))).toEqual({
      passed: 0,
      failed: 1,
      skipped: 0,
      problem: 'no summary: ended by SIGSEGV',
      failures: [{ test: 'no summary: ended by SIGSEGV', lines: ['started'] }],
    });
    expect(doctestResults(run('', 0))).toMatchObject({ failed: 1 });
  });

  it('names failed test cases with their source line and their messages', () => {
    const output = [
      header(3, 'adds'),
      '0.000009 s: adds',
      header(6, 'fails twice'),
      `${root}/test/native/blend_test.cc:7: ERROR: CHECK( a == 4 ) is NOT correct!\n  values: CHECK( 3 == 4 )\n`,
      'a line that the case itself prints',
      `${header(6, 'fails twice')}  inner one\n`,
      'blend_test.cc:9: FATAL ERROR: REQUIRE( a == 6 ) is NOT correct!\n',
      '0.000251 s: fails twice',
      `${rule}\nblend_test.cc:12:\nTEST SUITE: suite\nTEST CASE:  throws\n`,
      'blend_test.cc:12: ERROR: test case THREW exception: boom\n',
      '0.000027 s: throws',
      summary(1, 2),
    ].join('\n');
    expect(doctestResults(run(output)).failures).toEqual([
      {
        test: 'test/native/blend_test.cc:6: fails twice',
        lines: [
          'test/native/blend_test.cc:7: ERROR: CHECK( a == 4 ) is NOT correct!',
          '  values: CHECK( 3 == 4 )',
          'blend_test.cc:9: FATAL ERROR: REQUIRE( a == 6 ) is NOT correct!',
        ],
      },
      { test: 'blend_test.cc:12: throws', lines: ['blend_test.cc:12: ERROR: test case THREW exception: boom'] },
    ]);
  });

  it('keeps at most 20 lines of a failure', () => {
    const message = 'blend_test.cc:7: ERROR: CHECK( a == 4 ) is NOT correct!\n';
    const [failure] = doctestResults(run(`${header(6, 'fails often')}\n${message.repeat(50)}0.1 s: fails often\n${summary(0, 1)}`)).failures;
    expect(failure?.lines).toHaveLength(20);
  });

  it('names the test case in which the process ended', () => {
    expect(doctestResults({ ...run(header(6, 'hangs'), null, 'SIGKILL'), timedOut: true })).toMatchObject({
      problem: 'no summary: time limit reached',
      failures: [{ test: 'test/native/blend_test.cc:6: hangs', lines: ['the time limit was reached in this test case'] }],
    });
  });

  it('adds the report of a sanitizer to the test case that crashed', () => {
    const crash = `${header(6, 'overflows')}\nblend_test.cc:6: FATAL ERROR: test case CRASHED: SIGABRT\n\n0.1 s: overflows\n${summary(3, 1)}\n`;
    const report = '==92==ERROR: AddressSanitizer: heap-buffer-overflow\n    #0 0x1 in blend\n\nSUMMARY: AddressSanitizer: heap-buffer-overflow\n';
    const lines = ['blend_test.cc:6: FATAL ERROR: test case CRASHED: SIGABRT', '==92==ERROR: AddressSanitizer: heap-buffer-overflow', '    #0 0x1 in blend'];
    expect(doctestResults(run(crash + report, null, 'SIGABRT')).failures).toEqual([{ test: 'test/native/blend_test.cc:6: overflows', lines }]);
  });

  it('counts a leak that is reported after the last test case as a failure', () => {
    const report = '==98==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 3 byte(s)\n';
    expect(doctestResults(run(`${summary(10, 0)}\n${report}`, 23))).toMatchObject({
      passed: 10,
      failed: 1,
      failures: [{ test: 'outside a test case', lines: ['==98==ERROR: LeakSanitizer: detected memory leaks', 'Direct leak of 3 byte(s)'] }],
    });
  });
});

describe('results of several doctest processes', () => {
  const range = (cases: number, failed: number, code: number) =>
    run(`${Array.from({ length: cases }, (_, k) => `0.0${k}1000 s: case ${k}\n`).join('')}${summary(12 - failed, failed, 3)}`, code);

  it('adds up ranges of the test cases', () => {
    expect(joinDoctestResults([range(8, 0, 0), range(4, 0, 0)], 12)).toEqual({ passed: 12, failed: 0, skipped: 3, problem: undefined, failures: [] });
    expect(joinDoctestResults([range(8, 2, 1), range(4, 0, 0)], 12)).toMatchObject({ passed: 10, failed: 2, problem: '2 test cases failed (exit code 1)' });
    expect(joinDoctestResults([range(8, 0, 23), range(4, 0, 0)], 12)).toMatchObject({ passed: 11, failed: 1 });
  });

  it('counts test cases that did not run as a failure', () => {
    expect(joinDoctestResults([range(8, 0, 0), range(3, 0, 0)], 12)).toMatchObject({ failed: 1, problem: '11 of 12 test cases ran' });
    const crashed = run('0.010000 s: case 1\n', null, 'SIGSEGV');
    expect(joinDoctestResults([range(8, 0, 0), crashed], 12)).toMatchObject({ failed: 1, problem: 'no summary: ended by SIGSEGV; 9 of 12 test cases ran' });
  });
});

describe('results of vitest', () => {
  const passedTest = { status: 'passed', ancestorTitles: ['a room'], title: 'opens', failureMessages: [] };
  const passedFile = { name: `${root}/test/unit/a.test.ts`, status: 'passed', message: '', assertionResults: [passedTest] };
  const report = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [passedFile] };

  it('reads the numbers of the report', () => {
    expect(vitestResults(report, 0)).toMatchObject({ passed: 5, failed: 0, skipped: 2, failures: [] });
  });

  it('names failed tests with their file, their title and the stack frames of the project', () => {
    const message = `AssertionError: expected 1 to be 2\n    at ${root}/test/unit/b.test.ts:4:5\n    at file://${root}/node_modules/vitest/x.js:1:1`;
    const failed = { status: 'failed', ancestorTitles: ['a room', 'at night'], title: 'closes', failureMessages: [message] };
    const file = { name: `${root}/test/unit/b.test.ts`, status: 'failed', message: '', assertionResults: [passedTest, failed] };
    expect(vitestResults({ ...report, numFailedTests: 1, testResults: [passedFile, file] }, 1).failures).toEqual([
      { test: 'test/unit/b.test.ts: a room > at night > closes', lines: ['AssertionError: expected 1 to be 2', '    at test/unit/b.test.ts:4:5'] },
    ]);
  });

  it('counts a test file that cannot be loaded as a failure', () => {
    const broken = { name: `${root}/test/unit/c.test.ts`, status: 'failed', message: 'Cannot find module', assertionResults: [] };
    expect(vitestResults({ ...report, testResults: [passedFile, broken] }, 1)).toMatchObject({
      passed: 5,
      failed: 1,
      failures: [{ test: 'test/unit/c.test.ts: the file cannot be loaded', lines: ['Cannot find module'] }],
    });
  });

  it('counts an error outside the tests as a failure', () => {
    expect(vitestResults(report, 1)).toMatchObject({ passed: 5, failed: 1 });
  });
});

describe('the summary of a run', () => {
  const good = { passed: 5, failed: 0, skipped: 0, failures: [] };

  it('ends with the totals', () => {
    const bad = { passed: 2, failed: 0, skipped: 1, failures: [] };
    const programs = [
      { name: 'lint', seconds: 1, results: good },
      { name: 'native', seconds: 2.25, results: bad },
    ];
    expect(formatSummary(programs)).toEqual([
      'lint       5 passed, 0 failed, 0 skipped (1.0 s)',
      'native     2 passed, 0 failed, 1 skipped (2.3 s)',
      '',
      '7 passed, 0 failed, 1 skipped',
    ]);
  });

  it('lists each failed test with its message above the totals', () => {
    const bad = { passed: 2, failed: 1, skipped: 0, problem: '1 test cases failed', failures: [{ test: 'a.cc:6: blends', lines: ['a.cc:7: ERROR: CHECK'] }] };
    expect(formatSummary([{ name: 'native', seconds: 2, results: bad }])).toEqual([
      'native     2 passed, 1 failed, 0 skipped (2.0 s): 1 test cases failed',
      '',
      'Failed tests:',
      '✗ native: a.cc:6: blends',
      '    a.cc:7: ERROR: CHECK',
      '',
      '2 passed, 1 failed',
    ]);
  });

  it('lists the problem of a program whose failed tests have no names', () => {
    const bad = { passed: 2, failed: 1, skipped: 0, problem: '2 of 3 test cases ran', failures: [] };
    expect(formatSummary([{ name: 'native', seconds: 2, results: bad }])).toContain('✗ native: 2 of 3 test cases ran');
  });
});
