import { inRoot } from '../paths.mjs';
import { runCommand } from '../run-command.mjs';
import { createStamp, hashOf, listFiles } from '../stamp.mjs';

const stamp = createStamp('dist', 'validators', '.framewright-setup');

const keyOf = () =>
  hashOf([...listFiles('schema', (path) => path.endsWith('.json')), ...listFiles('src/script', (path) => path.endsWith('.ts')), 'package-lock.json']);

/** Step 6: dist/validators/, the movie schema as JavaScript. Without it every start compiles the schema anew. */
export const validatorBuild = {
  isCurrent: (flags) => !flags.build && stamp.matches(keyOf()),

  async run({ progress, log }) {
    const key = keyOf();
    await progress.step('compiling the movie schema', () => runCommand(log, process.execPath, [inRoot('dist/script/build-validators.js')]));
    stamp.write(key);
  },
};
