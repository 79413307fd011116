import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Measurements by key. They are appended to a file as lines of JSON, so that a stopped benchmark can continue. */
export interface ResultsLog {
  get(key: string): unknown;
  put(key: string, value: unknown): Promise<void>;
}

/** Opens or creates measurements.jsonl in a folder. */
export async function openResultsLog(folder: string): Promise<ResultsLog> {
  const path = join(folder, 'measurements.jsonl');
  const known = new Map<string, unknown>();
  const text = await readFile(path, 'utf8').catch(() => '');
  for (const line of text.split('\n')) {
    try {
      const { key, value } = JSON.parse(line) as { key: string; value: unknown };
      known.set(key, value);
    } catch {
      // An incomplete line of a killed process: the measurement is repeated.
    }
  }
  // Ends an incomplete line before the next one is appended.
  if (text !== '' && !text.endsWith('\n')) await appendFile(path, '\n');
  return {
    get: (key) => known.get(key),
    async put(key, value) {
      known.set(key, value);
      await appendFile(path, `${JSON.stringify({ key, value })}\n`);
    },
  };
}
