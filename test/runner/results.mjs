import { root } from './run-program.mjs';

const maxLinesPerFailure = 20;

const lastLines = (text) => text.trim().split('\n').slice(-maxLinesPerFailure);
const withoutRoot = (text) => text.replaceAll(`${root}/`, '');

/** One program that counts as one test. */
export function singleResult({ code, output }, title) {
  const failures = code === 0 ? [] : [{ test: title, lines: lastLines(output) }];
  return { passed: code === 0 ? 1 : 0, failed: failures.length, skipped: 0, failures };
}

/** The first report of a sanitizer in the output, without blank lines; empty if there is none. */
function sanitizerReport(output) {
  const start = output.search(/^.*(ERROR: \w+Sanitizer:|: runtime error: )/m);
  if (start < 0) return [];
  const lines = output.slice(start).split('\n');
  const end = lines.findIndex((line) => line.startsWith('SUMMARY: ') || line.startsWith('Shadow bytes') || line.startsWith('[doctest]'));
  return lines.slice(0, end < 0 ? undefined : end).filter((line) => line.trim() !== '');
}

/**
 * The failed test cases in the output of doctest with `-d`: a header ("FILE:LINE:", "TEST CASE:  NAME") opens a case, once more for each failed subcase;
 * "FILE:LINE: ERROR: …" or "… FATAL ERROR: …" opens a message, a blank line ends it; "SECONDS s: NAME" ends the case.
 */
function doctestFailures({ output, timedOut }) {
  const failures = [];
  let open;
  let inMessage = false;
  const lines = withoutRoot(output).split('\n');
  for (const [index, line] of lines.entries()) {
    const name = /^TEST CASE: {2}(.*)/.exec(line)?.[1];
    if (name !== undefined) {
      const header = lines.slice(Math.max(0, index - 2), index).find((above) => /^\S+:\d+:$/.test(above)) ?? '';
      const test = `${header} ${name}`.trim();
      if (open?.test !== test) open = { test, lines: [] };
    } else if (/^\S+:\d+: (FATAL )?ERROR: /.test(line)) {
      inMessage = true;
      if (open !== undefined && !failures.includes(open)) failures.push(open);
    } else if (line.trim() === '' || line.startsWith('=====')) {
      inMessage = false;
    } else if (/^\d+\.\d+ s: /.test(line)) {
      open = undefined;
    }
    if (inMessage) open?.lines.push(line);
  }
  if (open !== undefined && !failures.includes(open)) {
    failures.push({ ...open, lines: [timedOut ? 'the time limit was reached in this test case' : 'the process ended in this test case'] });
  }
  const report = sanitizerReport(withoutRoot(output));
  if (report.length > 0) {
    const crashed = failures.at(-1) ?? { test: 'outside a test case', lines: [] };
    if (failures.length === 0) failures.push(crashed);
    crashed.lines = [...crashed.lines.slice(-4), ...report];
  }
  return failures.map(({ test, lines }) => ({ test, lines: lines.slice(0, maxLinesPerFailure) }));
}

export function doctestResults(run) {
  const { code, signal, timedOut, output } = run;
  const line = /\[doctest\] test cases:\s*(\d+) \|\s*(\d+) passed \|\s*(\d+) failed \|\s*(\d+) skipped/.exec(output);
  const [passed, failed, skipped] = line ? line.slice(2).map(Number) : [0, 0, 0];
  if (code === 0 && line) {
    return { passed, failed, skipped, failures: [] };
  }
  const end = timedOut ? 'time limit reached' : signal ? `ended by ${signal}` : `exit code ${code}`;
  const problem = line ? `${failed} test cases failed (${end})` : `no summary: ${end}`;
  const failures = doctestFailures(run);
  return { passed, failed: Math.max(failed, 1), skipped, problem, failures: failures.length > 0 ? failures : [{ test: problem, lines: lastLines(output) }] };
}

/** The summary of a process also counts the cases of the other ranges, so the lines with durations (`-d`) show how many it ran. */
export function joinDoctestResults(runs, expected) {
  const results = runs.map(doctestResults);
  const ran = runs.reduce((sum, { output }) => sum + (output.match(/^\d+\.\d+ s: /gm) ?? []).length, 0);
  const failed = results.reduce((sum, part) => sum + part.failed, 0);
  const problems = results.flatMap(({ problem }) => problem ?? []);
  if (ran !== expected) problems.push(`${ran} of ${expected} test cases ran`);
  return {
    passed: Math.max(0, ran - failed),
    failed: problems.length > 0 ? Math.max(failed, 1) : failed,
    skipped: Math.max(...results.map(({ skipped }) => skipped)),
    problem: problems.length > 0 ? problems.join('; ') : undefined,
    failures: results.flatMap(({ failures }) => failures),
  };
}

/** Two runs over different cases of one program, each of which counts those of the other as skipped. */
export function joinParts(all, part) {
  const problems = [all.problem, part.problem].filter((problem) => problem !== undefined);
  return {
    passed: all.passed + part.passed,
    failed: all.failed + part.failed,
    skipped: Math.max(0, all.skipped - part.passed - part.failed),
    problem: problems.length > 0 ? problems.join('; ') : undefined,
    failures: [...all.failures, ...part.failures],
  };
}

/** The lines of a message without the stack frames of packages. */
const messageLines = (text) =>
  withoutRoot(text)
    .split('\n')
    .filter((line) => !/^\s+at .*(node_modules|<anonymous>|node:)/.test(line))
    .slice(0, maxLinesPerFailure);

export function vitestResults(report, code) {
  const failures = report.testResults.flatMap((file) => {
    const name = withoutRoot(file.name);
    if (file.status === 'failed' && file.assertionResults.length === 0) {
      return [{ test: `${name}: the file cannot be loaded`, lines: messageLines(file.message) }];
    }
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    return failed.map(({ ancestorTitles, title, failureMessages }) => ({
      test: `${name}: ${[...ancestorTitles, title].join(' > ')}`,
      lines: messageLines(failureMessages.join('\n')),
    }));
  });
  const brokenFiles = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  const passed = report.numPassedTests;
  const skipped = report.numPendingTests + report.numTodoTests;
  const failed = report.numFailedTests + brokenFiles;
  if (code !== 0 && failed === 0) {
    const problem = `all tests passed, but vitest ended with exit code ${code} (an error outside the tests)`;
    return { passed, failed: 1, skipped, problem, failures: [{ test: problem, lines: [] }] };
  }
  return { passed, failed, skipped, problem: brokenFiles > 0 ? `${brokenFiles} test files cannot be loaded` : undefined, failures };
}

export function formatSummary(programs) {
  const sum = (count) => programs.reduce((total, { results }) => total + results[count], 0);
  const lines = programs.map(({ name, seconds, results: { passed, failed, skipped, problem } }) => {
    return `${name.padEnd(10)} ${passed} passed, ${failed} failed, ${skipped} skipped (${seconds.toFixed(1)} s)${problem ? `: ${problem}` : ''}`;
  });
  const failures = programs.flatMap(({ name, results }) => {
    const named = results.failures.length > 0 || results.failed === 0 ? results.failures : [{ test: results.problem ?? 'unknown', lines: [] }];
    return named.flatMap((failure) => [`✗ ${name}: ${failure.test}`, ...failure.lines.map((line) => `    ${line}`)]);
  });
  if (failures.length > 0) lines.push('', 'Failed tests:', ...failures);
  lines.push('', `${sum('passed')} passed, ${sum('failed')} failed${sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''}`);
  return lines;
}
