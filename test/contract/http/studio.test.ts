import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../support/service-in-process.js';

/** Maximum compressed script size of a first visit, in bytes. */
const scriptBudget = 350_000;
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' };

let service: Service;
beforeAll(async () => {
  service = await startService({ workers: 0 });
});
afterAll(() => service.stop());

const getPage = () => service.call('GET', '/', { headers: browser });
/** URLs of the page and of its style sheets. */
async function namesOfFiles(): Promise<string[]> {
  const { text } = await getPage();
  const named = [...text.matchAll(/(?:src|href)="\.\/studio\/([^"]+)"/g)].map(([, name = '']) => name);
  const sheets = await Promise.all(named.filter((name) => name.endsWith('.css')).map((name) => service.call('GET', `/studio/${name}`)));
  return [...named, ...sheets.flatMap((sheet) => [...sheet.text.matchAll(/url\(["']?\.\/([^"')]+)/g)].map(([, name = '']) => name))];
}

/** The raw body, without the decompression of fetch. */
function rawBytes(path: string, encoding: string): Promise<{ encoding: string | undefined; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const sent = request(service.app.address + path, { headers: { 'accept-encoding': encoding } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ encoding: answer.headers['content-encoding'], bytes: Buffer.concat(chunks) }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('the page at /', () => {
  it('is served to requests for HTML; others get 404', async () => {
    const page = await getPage();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<title>Framewright Studio</title>');
    for (const accept of ['*/*', 'application/json', 'text/htmlx', '']) {
      const { status, body, headers } = await service.call('GET', '/', { headers: { accept } });
      expect([accept, status, body.error?.code]).toEqual([accept, 404, 'NOT_FOUND']);
      expect(headers.get('vary')).toBe('Accept');
    }
  });

  it('loads nothing from other origins and runs no inline script', async () => {
    const { headers, text } = await getPage();
    const policy = new Map((headers.get('content-security-policy') ?? '').split('; ').map((part) => [part.split(' ')[0], part.split(' ').slice(1)]));
    expect(policy.get('default-src')).toEqual(["'none'"]);
    for (const name of ['script-src', 'connect-src', 'font-src', 'media-src']) expect([name, policy.get(name)]).toEqual([name, ["'self'"]]);
    expect(policy.get('img-src')).toEqual(["'self'", 'blob:']);
    for (const name of ['base-uri', 'form-action', 'frame-ancestors']) expect([name, policy.get(name)]).toEqual([name, ["'none'"]]);
    expect(policy.get('require-trusted-types-for')).toEqual(["'script'"]);
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:\/\//);
    expect([headers.get('cache-control'), headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual([
      'no-store',
      'nosniff',
      'no-referrer',
    ]);
  });

  it('has a new nonce in each response', async () => {
    const answers = await Promise.all([getPage(), getPage()]);
    const nonces = answers.map(({ headers, text }) => {
      const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1];
      expect(text).toContain(`name="csp-nonce" content="${nonce}"`);
      return nonce;
    });
    expect(nonces[0]).toMatch(/^[\w+/]{24}$/);
    expect(nonces[0]).not.toBe(nonces[1]);
  });
});

describe('its files', () => {
  it('are immutable and use the best compression of the browser', async () => {
    const names = await namesOfFiles();
    expect(names.filter((name) => name.endsWith('.woff2')).length).toBeGreaterThan(2);
    for (const name of names) {
      const plain = await rawBytes(`/studio/${name}`, 'identity');
      const { status, headers } = await service.call('GET', `/studio/${name}`);
      expect([name, status, headers.get('cache-control')]).toEqual([name, 200, 'public, max-age=31536000, immutable']);
      expect(plain.encoding).toBeUndefined();
      if (name.endsWith('.woff2')) continue;
      const [gzip, brotli] = [await rawBytes(`/studio/${name}`, 'gzip, deflate'), await rawBytes(`/studio/${name}`, 'gzip, deflate, br')];
      expect([name, gzip.encoding, brotli.encoding]).toEqual([name, 'gzip', 'br']);
      expect(gunzipSync(gzip.bytes).equals(plain.bytes) && brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
    }
  });

  it(`hold at most ${scriptBudget} bytes of script, compressed`, async () => {
    const scripts = (await namesOfFiles()).filter((name) => name.endsWith('.js'));
    const sizes = await Promise.all(scripts.map(async (name) => (await rawBytes(`/studio/${name}`, 'gzip')).bytes.length));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThanOrEqual(scriptBudget);
  });

  it('are the only files served there', async () => {
    for (const name of ['nothing.js', '..%2findex.html', '.framewright-setup', '..%2f..%2fmain.js', 'index.html']) {
      expect([name, (await service.call('GET', `/studio/${name}`)).status]).toEqual([name, 404]);
    }
  });
});
