import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { runCampaign } from './media-campaign.js';
import { imageSeeds, mediaSeeds } from './seeds.mjs';

/** Set by `npm run fuzz -- media`. */
const count = Number(process.env.FRAMEWRIGHT_FUZZ_COUNT ?? 200);
const seed = Number(process.env.FRAMEWRIGHT_FUZZ_SEED ?? 1);
const isLong = process.env.FRAMEWRIGHT_FUZZ_COUNT !== undefined;
vi.setConfig({ testTimeout: isLong ? 24 * 3600 * 1000 : 120_000 });

it(`${count} changed films, sounds and pictures end no engine process, and none takes long or much memory`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'framewright-seeds-'));
  const seeds = [...mediaSeeds(join(folder, 'media')), ...imageSeeds(join(folder, 'images'))];
  const keep = fileURLToPath(new URL('../../build/fuzz/kept', import.meta.url));
  const tally = await runCampaign(seeds, {
    count,
    seed,
    keep,
    parallel: isLong ? 2 : 1,
    onProgress: (soFar) => {
      if (isLong) console.log(JSON.stringify({ ...soFar, lost: soFar.lost.length, unexpected: soFar.unexpected.length }));
    },
  });
  await rm(folder, { recursive: true, force: true });
  if (isLong) console.log(JSON.stringify(tally));
  expect(tally.lost).toEqual([]);
  expect(tally.unexpected).toEqual([]);
  expect(tally.files).toBe(count);
  // A mix of results shows that the mutations are effective.
  expect(tally.refused).toBeGreaterThan(count / 50);
  expect(tally.rendered + tally.failed).toBeGreaterThan(count / 5);
  expect(tally.slowestMs).toBeLessThan(20_000);
  expect(tally.peakBytes).toBeLessThan(2 ** 30);
});
