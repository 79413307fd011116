import { existsSync, rmSync } from 'node:fs';
import { inRoot } from '../paths.mjs';
import { runCommand } from '../run-command.mjs';
import { createStamp, hashOf, listFiles } from '../stamp.mjs';

/** A step that runs after a change of its key, and always with --build. */
function buildStep(stampPath, keyOf, build) {
  const stamp = createStamp(...stampPath, '.framewright-setup');
  return {
    isCurrent: (flags) => !flags.build && stamp.matches(keyOf()),
    async run(context) {
      const key = keyOf();
      await build(context, (...args) => runCommand(context.log, process.execPath, args));
      stamp.write(key);
    },
  };
}

const firstLine = (error) => error.message.split('\n')[0];

/** The service, and the declarations of the client, which needs the types of browsers. */
const projects = ['tsconfig.json', 'src/client/tsconfig.json'];

/** Deletes compiled modules whose source was deleted, so that nothing keeps using them. */
function removeOrphans() {
  if (!existsSync(inRoot('dist'))) return;
  for (const output of listFiles('dist', (path) => /\.js(\.map)?$/.test(path) && !path.startsWith('dist/studio'))) {
    const source = output.replace(/^dist/, 'src').replace(/\.js(\.map)?$/, '.ts');
    if (!existsSync(inRoot(source))) rmSync(inRoot(output));
  }
}

/** Step 4: compiles src/ into dist/. */
export const typescriptBuild = buildStep(
  ['dist'],
  () => hashOf([...listFiles('src', (path) => path.endsWith('.ts') && !path.startsWith('src/studio/')), ...projects, 'package-lock.json']),
  async ({ progress }, runNode) => {
    removeOrphans();
    await progress.step('compiling TypeScript', async () => {
      for (const project of projects) await runNode(inRoot('node_modules/typescript/bin/tsc'), '-p', project);
    });
  },
);

/** Step 5: builds Studio into dist/studio/. Optional for running the service: Vite needs Node 20.19. */
export const studioBuild = buildStep(
  ['dist', 'studio'],
  () => {
    // Studio contains the examples.
    const examples = listFiles('examples', (path) => /^examples\/[^/]+\.json$/.test(path));
    return hashOf([...listFiles('src/studio', () => true), ...examples, 'src/cli/setup/make-studio.mjs', 'package-lock.json'], [process.version]);
  },
  async ({ flags, progress }, runNode) => {
    try {
      await progress.step('building Studio', () => runNode(inRoot('src/cli/setup/make-studio.mjs')));
    } catch (error) {
      if (flags.tests || flags.build) throw error;
      progress.line(`  Studio, the page at /, is not available (${firstLine(error)})`);
    }
  },
);

/** Step 6: compiles the movie schema into dist/validators/, so that it need not be compiled at every start. */
export const validatorBuild = buildStep(
  ['dist', 'validators'],
  () => hashOf([...listFiles('schema', (path) => path.endsWith('.json')), ...listFiles('src/script', (path) => path.endsWith('.ts')), 'package-lock.json']),
  ({ progress }, runNode) => progress.step('compiling the movie schema', () => runNode(inRoot('dist/script/build-validators.js'))),
);

/** Step 7: bundles the command line with V8's code caches in dist/bundle/. If that fails, only starts are slower. */
export const bundleBuild = buildStep(
  ['dist', 'bundle'],
  () => {
    const files = ['dist/.tsbuildinfo', 'dist/validators/.framewright-setup', 'src/cli/setup/make-bundle.mjs'];
    return hashOf(
      files.filter((path) => existsSync(inRoot(path))),
      [process.version],
    );
  },
  async ({ progress }, runNode) => {
    try {
      await progress.step('bundling the modules', () => runNode(inRoot('src/cli/setup/make-bundle.mjs')));
    } catch (error) {
      progress.line(`  starts are slower without bundled modules (${firstLine(error)})`);
    }
  },
);
