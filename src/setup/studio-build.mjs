import { inRoot } from './paths.mjs';
import { runCommand } from './run-command.mjs';
import { createStamp, hashOf, listFiles } from './stamp.mjs';

const stamp = createStamp('dist', 'studio', '.framewright-setup');

/** Examples are shown in the page. */
const keyOf = () =>
  hashOf([
    ...listFiles('src/studio', () => true),
    ...listFiles('examples', (path) => /^examples\/[^/]+\.json$/.test(path)),
    'src/setup/make-studio.mjs',
    'package-lock.json',
  ]);

/** Step 5: dist/studio/, the page at `/`. */
export const studioBuild = {
  isCurrent: (flags) => !flags.build && stamp.matches(keyOf()),

  async run({ progress, log }) {
    const key = keyOf();
    await progress.step('building Studio', () => runCommand(log, process.execPath, [inRoot('src/setup/make-studio.mjs')]));
    stamp.write(key);
  },
};
