import { inRoot } from '../paths.mjs';
import { runCommand } from '../run-command.mjs';
import { createStamp, hashOf, listFiles } from '../stamp.mjs';

const stamp = createStamp('dist', 'studio', '.framewright-setup');

/** Examples are shown in the page. */
const keyOf = () =>
  hashOf(
    [
      ...listFiles('src/studio', () => true),
      ...listFiles('examples', (path) => /^examples\/[^/]+\.json$/.test(path)),
      'src/cli/setup/make-studio.mjs',
      'package-lock.json',
    ],
    [process.version],
  );

/** Step 5: dist/studio/, the page at `/`. The service goes without where it cannot be built: Vite asks for Node 20.19. */
export const studioBuild = {
  isCurrent: (flags) => !flags.build && stamp.matches(keyOf()),

  async run({ flags, progress, log }) {
    const key = keyOf();
    try {
      await progress.step('building Studio', () => runCommand(log, process.execPath, [inRoot('src/cli/setup/make-studio.mjs')]));
    } catch (error) {
      if (flags.tests || flags.build) throw error;
      progress.line(`  without Studio, the page at / (${error.message.split('\n')[0]})`);
    }
    stamp.write(key);
  },
};
