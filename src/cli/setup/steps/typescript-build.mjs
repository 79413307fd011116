import { existsSync, rmSync } from 'node:fs';
import { inRoot } from '../paths.mjs';
import { runCommand } from '../run-command.mjs';
import { createStamp, hashOf, listFiles } from '../stamp.mjs';

const stamp = createStamp('dist', '.framewright-setup');

/** What runs, and the declarations of the client, which are compiled with the types of browsers. The page of src/studio is built apart. */
const projects = ['tsconfig.json', 'src/client/tsconfig.json'];

const keyOf = () => hashOf([...listFiles('src', (path) => path.endsWith('.ts') && !path.startsWith('src/studio/')), ...projects, 'package-lock.json']);

/** A module whose source was deleted must not go on working from its old output. */
function removeOrphans() {
  if (!existsSync(inRoot('dist'))) {
    return;
  }
  for (const output of listFiles('dist', (path) => /\.js(\.map)?$/.test(path) && !path.startsWith('dist/studio'))) {
    const source = output.replace(/^dist/, 'src').replace(/\.js(\.map)?$/, '.ts');
    if (!existsSync(inRoot(source))) {
      rmSync(inRoot(output));
    }
  }
}

/** Step 4: dist/, compiled from src/. */
export const typescriptBuild = {
  isCurrent: (flags) => !flags.build && stamp.matches(keyOf()),

  async run({ progress, log }) {
    const key = keyOf();
    removeOrphans();
    await progress.step('compiling TypeScript', async () => {
      for (const project of projects) await runCommand(log, process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '-p', project]);
    });
    stamp.write(key);
  },
};
