import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadPacks, PackError } from '../../../../src/graphics/components/index.js';

const root = mkdtempSync(join(tmpdir(), 'packs-'));
afterAll(() => rmSync(root, { recursive: true }));

const manifest = {
  id: 'studio/badge',
  title: 'Badge',
  seconds: 4,
  settings: {
    type: 'object',
    properties: { badge: { type: 'object', properties: { text: { type: ['string', 'array'], default: 'NEW' }, color: { default: 'white' } } } },
  },
};
const tree = { kind: 'box', style: { 'flex-grow': 1 }, children: [{ kind: 'text', group: 'badge' }] };

function writePack(folder: string, files: { pack?: object; manifest?: object; component?: object | string }): string {
  const packs = join(root, folder);
  mkdirSync(join(packs, 'studio', 'badge'), { recursive: true });
  const write = (name: string, value: object | string) => writeFileSync(join(packs, 'studio', name), typeof value === 'string' ? value : JSON.stringify(value));
  write('pack.json', files.pack ?? { name: 'studio', version: '1.0.0', components: ['badge'] });
  write('badge/manifest.json', files.manifest ?? manifest);
  write('badge/component.json', files.component ?? tree);
  return packs;
}

test('an own pack stands beside those that are shipped', () => {
  const { packs, check, describe } = wrapped(loadPacks(writePack('good', {})));
  expect(packs.map(({ name }) => name)).toEqual(expect.arrayContaining(['basic', 'studio']));
  expect(check('studio/badge', { badge: 'SALE' }, 'e')).toEqual({ seconds: 4, media: [], isPage: false });
  const described = describe('studio/badge', {}, 'e', { width: 100, height: 100 });
  expect(described.kind === 'native' && described.root?.children[0]?.text?.paragraphs[0]?.text).toBe('NEW');
});

function wrapped(catalogue: ReturnType<typeof loadPacks>) {
  return {
    packs: catalogue.packs,
    check: catalogue.check.bind(catalogue),
    describe: catalogue.describe.bind(catalogue),
  };
}

test.each([
  ['a pack without version', { pack: { name: 'studio', components: ['badge'] } }, /pack\.json: .*version/],
  ['a manifest of another id', { manifest: { ...manifest, id: 'studio/other' } }, /studio\/badge/],
  ['a node of an unknown kind', { component: { kind: 'bax' } }, /component\.json: kind .*box/],
  ['an unknown field', { component: { kind: 'box', stile: {} } }, /stile/],
  ['no JSON', { component: '{' }, /not valid JSON/],
  [
    'a default that is no colour',
    { manifest: { ...manifest, settings: { properties: { badge: { properties: { text: { default: 'x' }, color: { default: 'wite' } } } } } } },
    /studio\/badge: .*colour/,
  ],
])('%s is told with its file', (name, files, message) => {
  const folder = writePack(name.replaceAll(' ', '-'), files);
  expect(() => loadPacks(folder)).toThrow(PackError);
  expect(() => loadPacks(folder)).toThrow(message);
});
