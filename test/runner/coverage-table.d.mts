/** Executions of each line by source. */
export type Coverage = Map<string, Map<number, number>>;

/**
 * Adds up reports of `gcov --json-format` for the sources below `folder` whose relative paths `isCounted` accepts. A line occurs once per function,
 * template instance and including source that has it.
 */
export function joinCoverage(
  reports: ReadonlyArray<{ current_working_directory: string; files: Array<{ file: string; lines: Array<{ line_number: number; count: number }> }> }>,
  folder: string,
  isCounted: (path: string) => boolean,
): Coverage;

/** One line per file and one for all; `percent` is the share of all lines that are executed. */
export function formatCoverage(files: Coverage, options?: { showsMissing?: boolean }): { lines: string[]; percent: number };
