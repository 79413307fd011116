import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { makeExampleMedia } from '../../../src/cli/demo/example-media.js';
import { withLocalRender } from '../../../src/cli/local-render.js';
import { loadConfig } from '../../../src/config/index.js';
import { findLegibilityProblems } from '../../support/legibility/index.js';

const folder = fileURLToPath(new URL('../../../examples/', import.meta.url));
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
/** The first run makes the images of the examples. */
const makingMs = 900_000;

vi.setConfig({ testTimeout: 300_000 });
beforeAll(() => makeExampleMedia(folder), makingMs);

const findProblems = (script: unknown): Promise<string[]> =>
  withLocalRender(`${folder}movie.json`, loadConfig(), (parts, workDir) => findLegibilityProblems(script, workDir, parts));

interface Script {
  variables?: Record<string, unknown>;
}

/** Half of the sizes of the examples, whose lengths are relative: as telling, and faster. */
const sizes = { '16:9': { width: 960, height: 540 }, '9:16': { width: 540, height: 960 }, '1:1': { width: 540, height: 540 } };

/** An example in each of its shapes. */
const cases = names.flatMap((name) => {
  const script = JSON.parse(readFileSync(folder + name, 'utf8')) as Script;
  return Object.entries(sizes)
    .filter(([shape]) => script.variables?.tall === undefined || shape !== '1:1')
    .map(([shape, size]) => {
      const variables = { ...script.variables, ...(script.variables?.tall === undefined ? size : { tall: shape === '9:16' }) };
      return { name, shape, script: { ...script, ...size, variables } };
    });
});

describe('the check', () => {
  const text = {
    type: 'text',
    text: 'A line of words that takes its time',
    width: '80%',
    x: '10%',
    y: '40%',
    height: '20%',
    font_size: 30,
    text_shadow: 'none',
  };
  const check = (element: object, more: object = {}) =>
    findProblems({ ...sizes['16:9'], scenes: [{ duration: 3, background: '#101018', elements: [{ ...text, ...element }] }], ...more });

  it('accepts a text that can be read', async () => {
    expect(await check({ animate: { in: { type: 'rise', by: 'word' }, out: 'fade' } })).toEqual([]);
  });

  it.each([
    ['is complete too late', { style: '003' }, 'is complete from'],
    ['ends before its letters have arrived', { animate: { in: { type: 'typewriter', stagger: 0.12 } } }, 'is complete from'],
    ['has no contrast', { color: '#404048' }, 'has a contrast of'],
    ['is covered', { color: '#ffffff', opacity: 0.2 }, 'has a contrast of'],
    ['leaves the frame', { x: '60%', settings: { white_space: 'nowrap' } }, 'is cut'],
    ['touches the edge', { x: '1%', width: '90%', text_align: 'left', horizontal_position: 'left' }, 'leaves the safe area'],
  ])('rejects a text that %s', async (_, element, problem) => {
    expect((await check(element)).join()).toContain(problem);
  });

  it('rejects a text below the buttons of an app', async () => {
    const low = { x: '50%', y: '62%', width: '45%', text_align: 'right', horizontal_position: 'right' };
    expect((await check(low, sizes['9:16'])).join()).toContain('below the buttons');
  });

  it('rejects the quotation that once ended before its last word was there', async () => {
    const words = {
      text: '“The best way to have a good idea is to have lots of ideas.”',
      style: '003',
      font: 'Playfair Display',
      font_weight: 700,
      height: '50%',
      y: '20%',
    };
    expect((await check(words)).join()).toContain('is complete from');
  });
});

it.each(cases)('the texts of $name in $shape can be read', async ({ script }) => {
  expect(await findProblems(script)).toEqual([]);
});
