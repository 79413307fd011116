import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OutputRecordStore } from '../../../../src/jobs/index.js';
import { Retention } from '../../../../src/jobs/retention/index.js';
import { createLocalStorage } from '../../../../src/storage/index.js';
import { movie, startService } from '../../../support/service-in-process.js';

it('deletes the output, the script and the client data of sandbox jobs after a day, and nothing of live jobs', async () => {
  const service = await startService();
  try {
    const live = await service.createKey({ mode: 'live' });
    const sandbox = await service.createKey({ mode: 'test' });
    const ids: string[] = [];
    for (const { key } of [live, sandbox]) {
      const { body } = await service.call('POST', '/api/render', { key, body: { ...movie(), 'client-data': { order: 1 } } });
      ids.push((await service.waitForEnd(key, String(body.job_id))).job_id);
    }
    const outputs = join(service.dataDir, 'outputs');
    const storage = await createLocalStorage(outputs);
    const nextDay = Date.now() + 25 * 3_600_000;
    const retention = new Retention({
      outputs: new OutputRecordStore(service.app.db),
      storage,
      removeLeftovers: async () => 0,
      outputRetentionMs: undefined,
      sandboxRetentionMs: 24 * 3_600_000,
      onRemoved: () => {},
      clock: { now: () => nextDay, monotonic: () => performance.now() },
      log: { info: () => {}, warn: () => {}, error: () => {} },
    });
    expect(await readdir(outputs)).toHaveLength(2);
    await retention.run();
    expect((await readdir(outputs)).map((name) => name.slice(0, 36))).toEqual([ids[0]]);
    const rows = await service.app.db.selectFrom('jobs').select(['script', 'client_data']).orderBy('seq').execute();
    expect(rows.map(({ script, client_data }) => [JSON.parse(script) !== null, client_data !== null])).toEqual([
      [true, true],
      [false, false],
    ]);
    const job = (await service.call('GET', `/api/jobs/${ids[1]}`, { key: sandbox.key })).body;
    expect(job).toMatchObject({ status: 'completed', output_expired_at: expect.any(String) });
  } finally {
    await service.stop();
  }
});
