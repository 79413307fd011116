import { existsSync, readFileSync } from 'node:fs';

const folder = '/usr/share/unicode';

/** Whether Unicode's test data are installed (Debian's package unicode-data); otherwise says that their tests are skipped. */
export const hasUnicodeData = existsSync(folder);
if (!hasUnicodeData) console.warn(`${folder} is missing: the tests with Unicode's test data are SKIPPED. Install the package unicode-data.`);

/** The lines of a file of Unicode's test data without comments. */
export function readUnicodeLines(path: string): string[] {
  return readFileSync(`${folder}/${path}`, 'utf8')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');
}
