import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deliverExports, type ExportFile, parseExports } from '../../../../src/delivery/exports/index.js';
import { createOutbound } from '../../../../src/outbound/index.js';
import { closedPort, type Folder, localParts, makeFile, startRawServer, temporaryFolder } from './fixtures.js';

interface Call {
  method: string | undefined;
  url: string | undefined;
  contentType: string | undefined;
  body: string;
}

let folder: Folder;
let file: ExportFile;
let receiver: Server;
let origin: string;
let calls: Call[] = [];
/** Status codes of the next responses; 204 afterwards. */
let answers: number[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  file = await makeFile(folder.path, 1_234);
  receiver = createServer(async (request: IncomingMessage, response) => {
    calls.push({ method: request.method, url: request.url, contentType: request.headers['content-type'], body: await text(request) });
    response.writeHead(answers.shift() ?? 204, { location: `${origin}/elsewhere` }).end('x'.repeat(100));
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});

beforeEach(() => {
  calls = [];
  answers = [];
});

afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await folder.remove();
});

const target = (fields: object = {}): unknown => [{ destinations: [{ type: 'webhook', endpoint: `${origin}/hooks/s3cr3t?film=__filename__`, ...fields }] }];
const host = (): string => new URL(origin).host;

describe('export to a webhook', () => {
  it('sends the metadata of the video as JSON, with numbers as text', async () => {
    const [result] = await deliverExports(parseExports(target()), file, localParts());
    expect(result).toEqual({ type: 'webhook', status: 'delivered', location: origin, attempts: 1, message: `Delivered to ${origin}.` });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ method: 'POST', url: `/hooks/s3cr3t?film=${file.name}`, contentType: 'application/json' });
    expect(JSON.parse(calls[0]?.body ?? '')).toEqual({
      width: '1920',
      height: '1080',
      duration: '12.5',
      size: '1234',
      url: file.downloadUrl,
      project: file.job.id,
      id: 'spring',
      'client-data': { order: 7 },
    });
  });

  it.each(['urlencoded', 'application/x-www-form-urlencoded'])('gets them as a form with content-type %s', async (type) => {
    await deliverExports(parseExports(target({ 'content-type': type })), file, localParts());
    expect(calls[0]?.contentType).toBe('application/x-www-form-urlencoded');
    const form = new URLSearchParams(calls[0]?.body);
    expect(form.get('duration')).toBe('12.5');
    expect(form.get('client-data')).toBe('{"order":7}');
  });

  it('retries after 503 and 429', async () => {
    answers = [503, 429];
    const parts = localParts();
    const [result] = await deliverExports(parseExports(target()), file, parts);
    expect(result).toMatchObject({ status: 'delivered', attempts: 3 });
    expect(parts.clock.slept).toEqual([1_000, 5_000]);
  });

  it.each([
    [404, 'answered 404.'],
    [302, 'answered 302 (redirects are not followed).'],
  ])('that answers %d has failed, and shows nothing of its path', async (status, message) => {
    answers = [status];
    const [result] = await deliverExports(parseExports(target()), file, localParts());
    expect(result).toEqual({ type: 'webhook', status: 'failed', attempts: 1, message: `${host()} ${message}` });
    expect(calls).toHaveLength(1);
  });

  it('makes four attempts if the connection is refused or the receiver is silent', async () => {
    const nobody = await closedPort();
    const [closed] = await deliverExports(parseExports(target({ endpoint: `http://127.0.0.1:${nobody}/x` })), file, localParts());
    expect(closed).toMatchObject({ status: 'failed', attempts: 4, message: `127.0.0.1:${nobody} refused the connection.` });
    const silent = await startRawServer();
    const endpoint = `http://127.0.0.1:${silent.port}/x`;
    const [hanging] = await deliverExports(parseExports(target({ endpoint })), file, localParts({ idleMs: 120 }));
    expect(hanging).toMatchObject({ status: 'failed', attempts: 4, message: `127.0.0.1:${silent.port} did not answer in time.` });
    await silent.close();
  });

  it('does not connect to a name that resolves to a private address', async () => {
    const outbound = createOutbound({ allowPrivateHosts: [], resolve: async () => ['127.0.0.1'] });
    const [result] = await deliverExports(parseExports(target({ endpoint: 'http://hooks.example.com/x' })), file, { ...localParts(), outbound });
    expect(result).toMatchObject({ status: 'failed', attempts: 1, message: 'hooks.example.com does not lead to a public address.' });
  });
});

describe('several export targets', () => {
  it('run one after the other, also after a failed one', async () => {
    answers = [404];
    const heard: string[] = [];
    const both = [...(target() as unknown[]), { type: 'webhook', endpoint: `${origin}/second` }];
    const results = await deliverExports(parseExports(both), file, localParts(), ({ status }, index) => heard.push(`${index} ${status} after ${calls.length}`));
    expect(results.map(({ status }) => status)).toEqual(['failed', 'delivered']);
    expect(heard).toEqual(['0 failed after 1', '1 delivered after 2']);
  });

  it('share one time budget and fail once it is used up', async () => {
    const silent = await startRawServer();
    const parts = localParts();
    // The budget ends soon; waits between attempts take no time.
    parts.clock.sleep = (ms, signal) => (ms >= 60_000 ? new Promise((resolve) => setTimeout(resolve, 200)) : Promise.resolve(signal.throwIfAborted()));
    const both = [
      { type: 'webhook', endpoint: `http://127.0.0.1:${silent.port}/x` },
      { type: 'webhook', endpoint: `${origin}/second` },
    ];
    const started = Date.now();
    const results = await deliverExports(parseExports(both), file, parts);
    expect(Date.now() - started).toBeLessThan(2_000);
    expect(results).toEqual([
      { type: 'webhook', status: 'failed', attempts: 1, message: expect.stringContaining('within the 5 minutes') },
      { type: 'webhook', status: 'failed', attempts: 0, message: expect.stringContaining('within the 5 minutes') },
    ]);
    expect(calls).toEqual([]);
    await silent.close();
  });

  it('end with the abort reason of the signal', async () => {
    const silent = await startRawServer();
    const stop = new AbortController();
    const delivering = deliverExports(
      parseExports([{ type: 'webhook', endpoint: `http://127.0.0.1:${silent.port}/x` }]),
      file,
      localParts({ signal: stop.signal }),
    );
    setTimeout(() => stop.abort(new Error('the service stops')), 50);
    await expect(delivering).rejects.toThrow('the service stops');
    await silent.close();
  });
});
