import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadImage } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderScript, runCli, temporaryFolder } from '../../support/cli.js';
import { decodeFrames, pixelAt } from '../../support/ffmpeg.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const manifest = {
  id: 'studio/stripe',
  title: 'Stripe',
  settings: { type: 'object', properties: { stripe: { type: 'object', properties: { background: { default: '#ff0000' } } } } },
  preview: { width: 160, height: 90, seconds: 1, at: [0.1, 0.9] },
};

/** A folder with one pack of one component. */
async function writePack(): Promise<string> {
  const own = join(folder.path, 'packs');
  await mkdir(join(own, 'studio', 'stripe'), { recursive: true });
  await writeFile(join(own, 'studio', 'pack.json'), JSON.stringify({ name: 'studio', version: '1.2.3', components: ['stripe'] }));
  await writeFile(join(own, 'studio', 'stripe', 'manifest.json'), JSON.stringify(manifest));
  await writeFile(join(own, 'studio', 'stripe', 'component.json'), JSON.stringify({ kind: 'box', group: 'stripe', style: { height: '30%' } }));
  return own;
}

test('packs list shows every component with its settings, including those of FRAMEWRIGHT_PACKS_DIR', async () => {
  const env = { FRAMEWRIGHT_PACKS_DIR: await writePack() };
  const { stdout } = await runCli(['packs', 'list'], { env });
  expect(stdout).toMatch(/basic\/050 .*lower third/i);
  expect(stdout).toMatch(/headline: text, font-size|headline: .*font-size \(auto\)/);
  expect(stdout).toContain('studio 1.2.3');
  const { packs } = JSON.parse((await runCli(['packs', 'list', '--json'], { env })).stdout);
  const stripe = packs.find(({ name }: { name: string }) => name === 'studio').components[0];
  expect(stripe).toMatchObject({ id: 'studio/stripe', drawn_by: 'framewright', settings: manifest.settings });
});

test('packs preview draws several times of a component side by side', async () => {
  const out = join(folder.path, 'previews');
  const { code, stderr } = await runCli(['packs', 'preview', 'studio', '-o', out], { env: { FRAMEWRIGHT_PACKS_DIR: await writePack() } });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(readdirSync(out)).toEqual(['studio-stripe.png']);
  const { width, height } = await loadImage(join(out, 'studio-stripe.png'));
  expect([width, height]).toEqual([160 * 2 + 8, 90]);
});

test('reports a packs folder that is missing or contains a broken pack', async () => {
  const nowhere = await runCli(['packs', 'list'], { env: { FRAMEWRIGHT_PACKS_DIR: join(folder.path, 'nowhere') } });
  expect(nowhere.code).toBe(2);
  expect(nowhere.stderr).toContain('FRAMEWRIGHT_PACKS_DIR');
  const broken = join(folder.path, 'broken', 'studio');
  await mkdir(broken, { recursive: true });
  await writeFile(join(broken, 'pack.json'), '{"name": "studio"}');
  const { code, stderr } = await runCli(['packs', 'list'], { env: { FRAMEWRIGHT_PACKS_DIR: join(folder.path, 'broken') } });
  expect(code).toBe(1);
  expect(stderr).toMatch(/pack\.json: .*version/);
});

test('renders a video of every native component', async () => {
  const { packs } = JSON.parse((await runCli(['packs', 'list', '--json'])).stdout);
  type Listed = { id: string; drawn_by: string; preview: { settings: Record<string, Record<string, unknown>> } };
  const native = packs.flatMap(({ components }: { components: Listed[] }) => components).filter(({ drawn_by }: Listed) => drawn_by === 'framewright');
  expect(native.length).toBeGreaterThanOrEqual(21);
  const scenes = native.map(({ id, preview }: Listed) => ({
    duration: 0.2,
    background: '#203040',
    elements: [{ type: 'component', component: id, settings: withoutImages(preview.settings) }],
  }));
  const video = await renderScript({ width: 160, height: 90, fps: 10, scenes }, folder.path);
  const frames = await decodeFrames(video, 'rgb');
  expect(frames.frames.length).toBe(native.length * 2);
  // The table is white from its first frame on.
  const table = native.findIndex(({ id }: Listed) => id === 'basic/125') * 2;
  expect(Math.min(...pixelAt(frames, table, 80, 52))).toBeGreaterThan(225);
});

/** Preview images are in their packs, which scripts in other folders cannot reach. */
function withoutImages(settings: Record<string, Record<string, unknown>>): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(settings)
      .map(([name, { src: _, ...group }]) => [name, group] as const)
      .filter(([, group]) => Object.keys(group).length > 0),
  );
}

test('validate locates the error in a component', async () => {
  const path = join(folder.path, 'wrong.json');
  const elements = [{ type: 'component', component: 'basic/050', settings: { headline: { colour: 'red' } } }];
  await writeFile(path, JSON.stringify({ width: 160, height: 90, scenes: [{ duration: 1, elements }] }));
  const { code, stderr } = await runCli(['validate', path]);
  expect(code).toBe(3);
  expect(stderr).toContain("scenes.0.elements.0.settings.headline.colour: unknown property \"colour\" of the group 'headline'; did you mean 'color'?");
});
