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
