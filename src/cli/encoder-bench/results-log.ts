import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What was measured so far, one JSON object a line, so that a trial that was stopped goes on where it was. */
export interface ResultsLog {
  get(key: string): unknown;
  put(key: string, value: unknown): Promise<void>;
}

export async function openResultsLog(folder: string): Promise<ResultsLog> {
  const path = join(folder, 'measurements.jsonl');
  const known = new Map<string, unknown>();
  const text = await readFile(path, 'utf8').catch(() => '');
  for (const line of text.split('\n')) {
    try {
      const { key, value } = JSON.parse(line) as { key: string; value: unknown };
      known.set(key, value);
    } catch {
      // The last line of one that was killed, which is measured again.
    }
  }
  // A line that was cut short has no end; the next one must not be added to it.
  if (text !== '' && !text.endsWith('\n')) await appendFile(path, '\n');
  return {
    get: (key) => known.get(key),
    async put(key, value) {
      known.set(key, value);
      await appendFile(path, `${JSON.stringify({ key, value })}\n`);
    },
  };
}
