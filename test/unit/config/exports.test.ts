import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/index.js';

describe('export settings', () => {
  it('have no mail server and Google’s addresses by default', () => {
    expect(loadConfig({}).exports).toEqual({
      mail: undefined,
      youtube: { apiUrl: 'https://www.googleapis.com', tokenUrl: 'https://oauth2.googleapis.com/token' },
    });
  });

  it('configure a mail server and another YouTube address', () => {
    const { exports } = loadConfig({
      FRAMEWRIGHT_SMTP_URL: 'smtps://films:secret@mail.internal:465',
      FRAMEWRIGHT_MAIL_FROM: 'Films <films@example.com>',
      FRAMEWRIGHT_YOUTUBE_URL: 'http://127.0.0.1:9000/',
    });
    expect(exports.mail).toEqual({ url: 'smtps://films:secret@mail.internal:465', from: 'Films <films@example.com>' });
    expect(exports.youtube).toEqual({ apiUrl: 'http://127.0.0.1:9000', tokenUrl: 'http://127.0.0.1:9000/token' });
  });

  it.each([
    [{ FRAMEWRIGHT_SMTP_URL: 'http://films:secret@mail' }, 'FRAMEWRIGHT_SMTP_URL: not an address'],
    [{ FRAMEWRIGHT_SMTP_URL: 'smtp://films:secret@mail' }, 'FRAMEWRIGHT_MAIL_FROM: must be the sender'],
    [{ FRAMEWRIGHT_SMTP_URL: 'smtp://films:secret@mail', FRAMEWRIGHT_MAIL_FROM: 'films' }, 'FRAMEWRIGHT_MAIL_FROM: must be the sender'],
    [{ FRAMEWRIGHT_YOUTUBE_URL: 'youtube' }, 'FRAMEWRIGHT_YOUTUBE_URL: "youtube" is not'],
  ])('reject %o without repeating the password', (values, message) => {
    expect(() => loadConfig(values)).toThrow(message);
    expect(() => loadConfig(values)).not.toThrow(/secret/);
  });
});
