import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliverExports, type ExportFile, parseExports } from '../../../../src/delivery/exports/index.js';
import { closedPort, type Folder, localParts, makeFile, startRawServer, temporaryFolder } from './fixtures.js';

interface Letter {
  from: string;
  to: string[];
  text: string;
}

let folder: Folder;
let server: SMTPServer;
let mail: { url: string; from: string };
let file: ExportFile;
const letters: Letter[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  file = await makeFile(folder.path, 40_000, 'b5e1c1de.mp4');
  server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, callback) =>
      username === 'sender' && password === 'open sesame!' ? callback(null, { user: username }) : callback(new Error('no such account')),
    onRcptTo: ({ address }, _session, callback) =>
      callback(address.startsWith('nobody@') ? Object.assign(new Error('no mailbox here'), { responseCode: 550 }) : null),
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        letters.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString('utf8'),
        });
        callback();
      });
    },
  });
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  mail = {
    url: `smtp://sender:${encodeURIComponent('open sesame!')}@127.0.0.1:${(listening.address() as AddressInfo).port}`,
    from: 'Sender <sender@example.com>',
  };
});

afterAll(async () => {
  await new Promise<void>((closed) => server.close(() => closed()));
  await folder.remove();
});

const target = (fields: object = {}): unknown => [
  { destinations: [{ type: 'email', to: 'viewer@example.com', subject: 'Video of __dd__.__mm__.__yyyy__', message: 'It is ready: __video_url__', ...fields }] },
];
const lastLetter = (): Letter => letters.at(-1) ?? { from: '', to: [], text: '' };
const unfolded = (text: string): string => text.replaceAll(/=\r?\n/g, '').replaceAll(/\r?\n /g, ' ');

describe('export by email', () => {
  it('sends the link, with subject and text filled in', async () => {
    const [result] = await deliverExports(
      parseExports(target({ to: ['viewer@example.com', 'editor@example.com'], reply_to: 'office@example.com' })),
      file,
      localParts({ mail }),
    );
    expect(result).toMatchObject({ type: 'email', status: 'delivered', attempts: 1, location: 'mailto:viewer@example.com,editor@example.com' });
    const { from, to, text } = lastLetter();
    expect(from).toBe('sender@example.com');
    expect(to).toEqual(['viewer@example.com', 'editor@example.com']);
    expect(text).toMatch(/^Subject: Video of 03\.02\.2031\r?$/m);
    expect(text).toMatch(/^Reply-To: office@example\.com\r?$/m);
    expect(unfolded(text)).toContain(`It is ready: ${file.downloadUrl}`);
    expect(text).not.toContain('Content-Disposition: attachment');
  });

  it('attaches the file on request', async () => {
    await deliverExports(parseExports(target({ attach: true, message: 'Here it is.' })), file, localParts({ mail }));
    const { text } = lastLetter();
    const encoded = /Content-Disposition: attachment; filename=b5e1c1de\.mp4\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/.exec(text)?.[1] ?? '';
    const attached = Buffer.from(encoded.replaceAll(/\s/g, ''), 'base64');
    expect(attached.length).toBe(file.sizeBytes);
    expect(createHash('sha256').update(attached).digest('hex')).toBe((file as { sha256?: string }).sha256);
    expect(unfolded(text)).not.toContain(file.downloadUrl);
  });

  it('sends the link if the file is too large or the message does not place it', async () => {
    const large = await makeFile(folder.path, 10_000_001, 'large.mp4');
    await deliverExports(parseExports(target({ attach: true, message: 'Here it is.' })), large, localParts({ mail }));
    expect(unfolded(lastLetter().text)).toContain(large.downloadUrl);
    expect(lastLetter().text.length).toBeLessThan(5_000);
    await deliverExports(parseExports(target({ message: 'Done.' })), file, localParts({ mail }));
    expect(unfolded(lastLetter().text)).toContain(file.downloadUrl);
  });

  it("fails at once if the server refuses the operator's login, without showing user or password", async () => {
    const wrong = { ...mail, url: mail.url.replace(/sender:[^@]+/, 'sender:guess-1234') };
    const [result] = await deliverExports(parseExports(target()), file, localParts({ mail: wrong }));
    expect(result).toEqual({
      type: 'email',
      status: 'failed',
      attempts: 1,
      message: 'The mail server rejected the account that the operator of this service configured.',
    });
  });

  it('fails at once for an unknown recipient', async () => {
    const [result] = await deliverExports(parseExports(target({ to: 'nobody@example.com' })), file, localParts({ mail }));
    expect(result).toMatchObject({ status: 'failed', attempts: 1, message: expect.stringContaining('550 no mailbox here') });
  });

  it('makes four attempts if the connection is refused or the server is silent', async () => {
    const nobody = await closedPort();
    const [closed] = await deliverExports(parseExports(target()), file, localParts({ mail: { ...mail, url: `smtp://127.0.0.1:${nobody}` } }));
    expect(closed).toMatchObject({ status: 'failed', attempts: 4, message: 'The mail server refused or broke off the connection.' });
    const silent = await startRawServer();
    const parts = localParts({ mail: { ...mail, url: `smtp://127.0.0.1:${silent.port}` }, idleMs: 120 });
    const [hanging] = await deliverExports(parseExports(target()), file, parts);
    expect(hanging).toMatchObject({ status: 'failed', attempts: 4, message: 'The mail server did not answer in time.' });
    await silent.close();
  });

  it('fails without a configured mail server, which submission can already refuse', async () => {
    const [result] = await deliverExports(parseExports(target()), file, localParts());
    expect(result).toMatchObject({ status: 'failed', attempts: 1, message: expect.stringContaining('FRAMEWRIGHT_SMTP_URL') });
    expect(() => parseExports(target(), { hasMail: false })).toThrow('not configured a mail server');
  });
});
