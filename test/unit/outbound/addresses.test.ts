import { describe, expect, test } from 'vitest';
import { createOutbound, isPublicAddress } from '../../../src/outbound/index.js';
import { hostileAddresses, hostileHosts } from '../../support/hostile-addresses.js';

describe('the URL policy', () => {
  const outbound = createOutbound({ allowPrivateHosts: [] });

  test.each(hostileHosts)('refuses http://%s/', (host) => {
    for (const url of [`http://${host}/a.png`, `HTTPS://${host}:8443/a.png`, `http://user:pw@${host}/`]) {
      expect(outbound.checkUrl(url), url).toMatch(/is not a public address|must be an http or https URL/);
    }
  });

  test.each(['93.184.215.14', '8.8.8.8', '[2606:4700:4700::1111]', 'example.com', 'localhost.example.com', 'xn--bcher-kva.example'])(
    'allows http://%s/',
    (host) => {
      expect(outbound.checkUrl(`https://${host}/a.png`)).toBeUndefined();
    },
  );

  test.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'concat:/etc/passwd',
    'ftp://example.com/a',
    '//example.com/a',
    'example.com/a',
    '',
    'http://',
    'http://[::1',
    'gopher://x',
  ])('refuses %s, which is no web address', (url) => {
    expect(outbound.checkUrl(url)).toBe('it must be an http or https URL');
  });

  test('does not quote credentials', () => {
    expect(outbound.checkUrl('http://user:secret@10.0.0.1/')).toBe('10.0.0.1 is not a public address');
  });
});

describe('the allow list', () => {
  test.each<[entry: string, url: string, allowed: boolean]>([
    ['127.0.0.1', 'http://127.0.0.1:9000/', true],
    ['127.0.0.1', 'http://2130706433/', true],
    ['127.0.0.1:9000', 'http://127.0.0.1:9000/', true],
    ['127.0.0.1:9000', 'http://127.0.0.1:9001/', false],
    ['127.0.0.1:80', 'http://127.0.0.1/', true],
    ['127.0.0.1:443', 'https://127.0.0.1/', true],
    ['127.0.0.1:80', 'https://127.0.0.1/', false],
    ['127.0.0.1', 'http://[::ffff:127.0.0.1]/', true],
    ['127.0.0.1:9000', 'http://localhost:9000/', true],
    ['localhost', 'http://localhost:1234/', true],
    ['localhost:80', 'http://localhost./', true],
    ['localhost', 'http://127.0.0.1/', false],
    ['10.0.0.0/8', 'http://10.1.2.3:8080/', true],
    ['10.0.0.0/8', 'http://11.0.0.1/', true],
    ['10.0.0.0/8', 'http://192.168.0.1/', false],
    ['fd00::/8', 'http://[fd12::1]/', true],
    ['fd00::/8', 'http://10.0.0.1/', false],
    ['::1', 'http://[::1]:5000/', true],
    ['[::1]:5000', 'http://[::1]:5000/', true],
    ['[::1]:5000', 'http://[::1]:5001/', false],
    ['127.0.0.0/8', 'http://localhost/', true],
  ])('%s and %s: %s', (entry, url, allowed) => {
    expect(createOutbound({ allowPrivateHosts: [entry] }).checkUrl(url) === undefined).toBe(allowed);
  });
});

describe('resolved addresses', () => {
  test.each(['', 'example.com', '999.1.1.1', '::ffff:10.0.0.1', '64:ff9b::808:808', ...hostileAddresses])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(['8.8.8.8', '::ffff:8.8.8.8', '2606:4700:4700::1111'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});
