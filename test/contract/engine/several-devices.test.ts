import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createEngine } from '../../../src/engine/index.js';
import { composeOnBoth } from '../../support/both-compositors.js';
import { TestTimeline } from '../../support/scenery.js';
import { substituteVulkan } from '../../support/substitute-card.js';

const drivers = '/usr/share/vulkan/icd.d';
const folder = mkdtempSync(join(tmpdir(), 'several-devices-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the devices of a host draw in turn', async () => {
  const inSoftware = readdirSync(drivers).find((name) => name.startsWith('lvp_icd')) ?? '';
  // The Vulkan loader treats two manifests of one driver as two devices.
  const names = ['first.json', 'second.json'].map((name) => join(folder, name));
  for (const name of names) copyFileSync(join(drivers, inSoftware), name);
  Object.assign(process.env, substituteVulkan('own-uuids=1'), { VK_ICD_FILENAMES: names.join(':') });
  const engine = createEngine();
  const vulkan = (await engine.capabilities()).compositors.find(({ name }) => name === 'vulkan');
  expect(vulkan?.reason.match(/llvmpipe/g)).toHaveLength(2);
  const timeline = new TestTimeline(folder).timeline(64, 48, {
    clips: [{ start: 0, frames: 30, fill: '#e06030ff', box: { x: 5, y: 6, width: 40, height: 30 }, rotation: 20 }],
  });
  for (let turn = 0; turn < 4; turn++) await composeOnBoth(engine, timeline, 3);
});
