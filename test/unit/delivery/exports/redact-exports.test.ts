import { describe, expect, it } from 'vitest';
import { redactExports } from '../../../../src/delivery/exports/index.js';

const secret = 'hunter-2222';

describe('redactExports', () => {
  it('masks every secret of every target in both forms and spellings and keeps the rest', () => {
    const script = {
      scenes: [{ duration: 1 }],
      exports: [
        { type: 's3', bucket: 'films', key: 'a.mp4', access_key_id: secret, 'secret-access-key': secret, session_token: secret },
        {
          destinations: [
            { type: 'ftp', host: 'h', username: 'u', port: 21, password: secret },
            { type: 'sftp', 'private-key': secret, passphrase: secret },
          ],
        },
        { type: 'youtube', title: 't', tags: ['x'], access_token: secret, 'refresh-token': secret, client_secret: secret, client_id: 'c' },
        { type: 'webhook', endpoint: `https://u:${secret}@example.com/hooks/${secret}?key=${secret}` },
      ],
    };
    const before = JSON.stringify(script);
    const shown = redactExports(script);
    expect(JSON.stringify(shown)).not.toContain(secret);
    expect(JSON.stringify(script)).toBe(before);
    expect(shown).toEqual({
      scenes: [{ duration: 1 }],
      exports: [
        { type: 's3', bucket: 'films', key: 'a.mp4', access_key_id: '***', 'secret-access-key': '***', session_token: '***' },
        {
          destinations: [
            { type: 'ftp', host: 'h', username: 'u', port: 21, password: '***' },
            { type: 'sftp', 'private-key': '***', passphrase: '***' },
          ],
        },
        { type: 'youtube', title: 't', tags: ['x'], access_token: '***', 'refresh-token': '***', client_secret: '***', client_id: 'c' },
        { type: 'webhook', endpoint: 'https://example.com/***' },
      ],
    });
  });

  it('masks unknown fields at any depth and fields of the wrong type', () => {
    const wrong = {
      exports: [
        secret,
        [secret],
        {
          type: { password: secret },
          pasword: secret,
          client_data: { password: secret },
          host: [{ password: secret }],
          endpoint: secret,
          webhook: { url: secret },
        },
        { destinations: { password: secret } },
        { destinations: secret },
      ],
    };
    expect(JSON.stringify(redactExports(wrong))).not.toContain(secret);
    expect(JSON.stringify(redactExports({ exports: secret }))).not.toContain(secret);
  });

  it('does not change scripts without exports', () => {
    const script = { scenes: [] };
    expect(redactExports(script)).toBe(script);
    expect(redactExports(null)).toBeNull();
    expect(redactExports('text')).toBe('text');
  });
});
