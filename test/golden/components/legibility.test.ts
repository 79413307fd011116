import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { withLocalRender } from '../../../src/cli/local-render.js';
import { loadConfig } from '../../../src/config/index.js';
import { loadPacks } from '../../../src/graphics/components/index.js';
import { findLegibilityProblems } from '../../support/legibility/index.js';

vi.setConfig({ testTimeout: 120_000 });

const shapes = { '16:9': { width: 960, height: 540 }, '9:16': { width: 540, height: 960 } };
/** Numbers that are shown for a second each. */
const countdowns = ['motion/countdown'];

const cases = loadPacks(undefined).packs.flatMap(({ components, folder }) =>
  components
    .filter(({ id }) => !countdowns.includes(id))
    .flatMap((component) => Object.entries(shapes).map(([shape, size]) => ({ id: component.id, component, folder, shape, size }))),
);

test.each(cases)('the texts of $id in $shape can be read', async ({ id, component, folder, size }) => {
  const { settings, background = '#20283a' } = component.preview;
  const element = { type: 'component', component: id, settings };
  const script = { ...size, fps: 20, scenes: [{ background, elements: [{ ...element, duration: -1 }] }] };
  // The preview refers to images in its pack.
  const problems = await withLocalRender(join(folder, 'movie.json'), loadConfig(), (parts, workDir) => findLegibilityProblems(script, workDir, parts));
  // The other packs have the colours, places and times of those that they stand for; of them only cut texts are faults.
  const isOwn = id.startsWith('motion/');
  expect(problems.filter((problem) => isOwn || problem.endsWith(' is cut'))).toEqual([]);
});
