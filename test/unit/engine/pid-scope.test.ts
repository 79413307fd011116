import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { pidScope } from '../../../src/engine/child-processes/index.js';

const compiled = fileURLToPath(new URL('../../../dist/engine/child-processes/pid-scope.js', import.meta.url));
const program = `import('${compiled}').then(({ pidScope }) => process.stdout.write(pidScope))`;
const readScope = (...launcher: string[]): string => {
  const [command = '', ...rest] = [...launcher, process.execPath, '-e', program];
  return spawnSync(command, rest, { encoding: 'utf8' }).stdout;
};

it('is the same in every process of a pid namespace and another one in a container with the same host name', (context) => {
  expect(readScope()).toBe(pidScope);
  const inside = readScope('unshare', '--user', '--map-root-user', '--pid', '--fork');
  if (inside === '') {
    console.error('SKIPPED: pid namespaces: this machine does not let users create them');
    context.skip();
  }
  expect(inside).not.toBe(pidScope);
  expect(inside.split('/')[0]).toBe(pidScope.split('/')[0]);
});
