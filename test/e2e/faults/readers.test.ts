import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startFaultyService } from '../../support/faulty-service.js';

/** Takes two to four minutes, so it runs only in the long form. */
const isLong = process.env.FRAMEWRIGHT_TEST_LONG !== undefined;

it.skipIf(!isLong)(
  'a stalled download is closed together with its file',
  async () => {
    const faulty = await startFaultyService();
    const name = `00000000-0000-4000-8000-000000000000-${'ab'.repeat(32)}.mp4`;
    const folder = join(faulty.dataDir, 'outputs');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), Buffer.alloc(64 * 1024 ** 2));
    const isOpen = (): boolean =>
      readdirSync(`/proc/${faulty.service.pid}/fd`).some((number) => {
        try {
          return readlinkSync(`/proc/${faulty.service.pid}/fd/${number}`).endsWith(name);
        } catch {
          return false;
        }
      });
    const reader = connect(Number(new URL(faulty.service.url).port), '127.0.0.1');
    try {
      reader.on('error', () => {});
      reader.write(`GET /outputs/${name} HTTP/1.1\r\nHost: x\r\n\r\n`);
      reader.once('data', () => reader.pause());
      await expect.poll(isOpen, { timeout: 5000 }).toBe(true);
      await expect.poll(isOpen, { timeout: 270_000, interval: 1000 }).toBe(false);
    } finally {
      reader.destroy();
      await faulty.stop();
    }
  },
  400_000,
);
