import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../../support/cli.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { type Service, startService } from '../../support/service-in-process.js';
import { databaseEnvironment } from '../../support/test-database.js';

const realWorker = fileURLToPath(new URL('../../../dist/worker.js', import.meta.url));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let receiver: Receiver;
let service: Service;
beforeAll(async () => {
  folder = await temporaryFolder();
  receiver = await startReceiver();
  service = await startService({ dataDir: folder.path, workerPath: realWorker, environment: { FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } });
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
  await folder.remove();
});

/** Its text uses a font that does not exist. */
const script = (): object => ({
  width: 160,
  height: 90,
  webhook_uri: receiver.url,
  scenes: [{ duration: 0.2, elements: [{ type: 'text', text: 'Hi', font: 'No Such Family' }] }],
});

async function render(mode: 'live' | 'test'): Promise<{ key: string; jobId: string }> {
  const { key } = await service.createKey({ mode });
  const { body } = await service.call('POST', '/api/render', { key, body: script() });
  return { key, jobId: String(body.job_id) };
}

it('warnings appear in the job, the job list and the log, not in the webhook', async () => {
  const { key, jobId } = await render('live');
  const before = (await service.call('GET', `/api/jobs/${jobId}`, { key })).body;
  expect(before.status === 'completed' || !('warnings' in before)).toBe(true);
  const job = await service.waitForEnd(key, jobId);
  expect(job.status).toBe('completed');
  expect(job.warnings).toEqual([expect.stringMatching(/^scenes\.0\.elements\.0: .*No Such Family/)]);
  expect(((await service.call('GET', '/api/jobs', { key })).body.jobs as Array<Record<string, unknown>>)[0]).toEqual(job);
  const shown = await runCli(['jobs', 'show', jobId, '--json'], { env: { FRAMEWRIGHT_DATA_DIR: folder.path, ...(await databaseEnvironment(folder.path)) } });
  expect((JSON.parse(shown.stdout) as Record<string, unknown>).warnings).toEqual(job.warnings);
  const [webhook] = await receiver.waitFor(1);
  expect(Object.keys(JSON.parse(webhook?.body ?? '{}') as object)).toEqual(['job_id', 'status', 'output_url', 'duration_seconds', 'credits_used']);
});

it('a sandbox job has no warnings', async () => {
  const { key, jobId } = await render('test');
  expect(await service.waitForEnd(key, jobId)).toMatchObject({ status: 'completed', warnings: [] });
});
