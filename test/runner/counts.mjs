/** What a run of doctest counted, from its closing line; no line, or a bad end that it did not count, is a failure. */
export function doctestCounts({ code, signal, timedOut, output }) {
  const line = /\[doctest\] test cases:\s*(\d+) \|\s*(\d+) passed \|\s*(\d+) failed \|\s*(\d+) skipped/.exec(output);
  const [passed, failed, skipped] = line ? line.slice(2).map(Number) : [0, 0, 0];
  if (code === 0 && line) {
    return { passed, failed, skipped };
  }
  const how = timedOut ? 'ran out of time' : signal ? `ended by ${signal}` : `exit code ${code}`;
  return { passed, failed: Math.max(failed, 1), skipped, problem: line ? `${failed} test cases failed (${how})` : `no summary: ${how}` };
}

/**
 * What several runs of doctest counted that had a part of `expected` test cases each. A run's own summary counts the cases of the others as well, so
 * those that it ran are told by the lines of their durations (`-d`): all of them together must be as many as expected.
 */
export function sharedDoctestCounts(runs, expected) {
  const counts = runs.map(doctestCounts);
  const ran = runs.reduce((sum, { output }) => sum + (output.match(/^\d+\.\d+ s: /gm) ?? []).length, 0);
  const failed = counts.reduce((sum, part) => sum + part.failed, 0);
  const problems = counts.flatMap(({ problem }) => problem ?? []);
  if (ran !== expected) problems.push(`${ran} of ${expected} test cases ran`);
  return {
    passed: Math.max(0, ran - failed),
    failed: problems.length > 0 ? Math.max(failed, 1) : failed,
    skipped: Math.max(...counts.map(({ skipped }) => skipped)),
    problem: problems.length > 0 ? problems.join('; ') : undefined,
  };
}

/** What vitest counted. A file that could not even be loaded has no tests to count: it is one failure. */
export function vitestCounts(report, code) {
  const brokenFiles = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  const passed = report.numPassedTests;
  const skipped = report.numPendingTests + report.numTodoTests;
  const failed = report.numFailedTests + brokenFiles;
  if (code !== 0 && failed === 0) {
    return { passed, failed: 1, skipped, problem: `every test passed, yet vitest ended with exit code ${code} (an error outside the tests)` };
  }
  return { passed, failed, skipped, problem: brokenFiles > 0 ? `${brokenFiles} test files could not be loaded` : undefined };
}
