import { existsSync } from 'node:fs';
import { inRoot } from '../paths.mjs';
import { runCommand } from '../run-command.mjs';
import { createStamp, hashOf } from '../stamp.mjs';

const stamp = createStamp('dist', 'bundle', '.framewright-setup');

/** Of what the steps before have made, by their own stamps. */
const keyOf = () =>
  hashOf(
    ['dist/.tsbuildinfo', 'dist/validators/.framewright-setup', 'src/cli/setup/make-bundle.mjs'].filter((path) => existsSync(inRoot(path))),
    [process.version],
  );

/** Step 7: dist/bundle/, the command line joined into a few files with V8's code beside them. Where it cannot be had, starts take longer. */
export const bundleBuild = {
  isCurrent: (flags) => !flags.build && stamp.matches(keyOf()),

  async run({ progress, log }) {
    try {
      await progress.step('joining the modules', () => runCommand(log, process.execPath, [inRoot('src/cli/setup/make-bundle.mjs')]));
    } catch (error) {
      progress.line(`  without joined modules: starts take longer (${error.message.split('\n')[0]})`);
    }
    stamp.write(keyOf());
  },
};
