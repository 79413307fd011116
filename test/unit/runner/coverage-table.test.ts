import { expect, it } from 'vitest';
import { formatCoverage, joinCoverage } from '../../runner/coverage-table.mjs';

const lines = (...counts: number[]) => counts.map((count, index) => ({ line_number: index + 1, count }));

it('counts a line as executed if one of its functions or including sources executes it', () => {
  const reports = [
    {
      current_working_directory: '/tree/build',
      files: [
        { file: '/tree/native/vulkan/a.cc', lines: [...lines(1, 0, 0, 0, 2), { line_number: 2, count: 3 }] },
        { file: '../native/vulkan/b.h', lines: lines(0, 1) },
        { file: '/usr/include/c++/12/vector', lines: lines(9) },
        { file: '/tree/native/core/c.h', lines: lines(9) },
      ],
    },
    { current_working_directory: '/tree/build', files: [{ file: '../native/vulkan/b.h', lines: lines(4, 0) }] },
  ];
  const files = joinCoverage(reports, '/tree/native', (path) => path.startsWith('vulkan/'));
  expect([...files.keys()]).toEqual(['vulkan/a.cc', 'vulkan/b.h']);
  const { lines: table, percent } = formatCoverage(files, { showsMissing: true });
  expect(table.map((line) => line.replace(/ +/g, ' '))).toEqual(['vulkan/a.cc 3 of 5 60.0 %', ' 3-4', 'vulkan/b.h 2 of 2 100.0 %', 'total 5 of 7 71.4 %']);
  expect(percent).toBeCloseTo(500 / 7);
});

it('has no lines to miss where nothing is compiled', () => {
  expect(formatCoverage(new Map()).percent).toBe(100);
});
