import { ConfigError, type Environment } from './environment.js';

/** Servers that exports use. */
export interface ExportsConfig {
  /** Mail server and sender of e-mail exports; undefined: e-mail exports are rejected. */
  mail: { url: string; from: string } | undefined;
  youtube: { apiUrl: string; tokenUrl: string };
}

export function parseExportsConfig(environment: Environment): ExportsConfig {
  return Object.freeze({ mail: parseMail(environment), youtube: parseYoutube(environment.text('FRAMEWRIGHT_YOUTUBE_URL')) });
}

/** Error messages do not repeat the address, because it contains a password. */
function parseMail(environment: Environment): ExportsConfig['mail'] {
  const url = environment.text('FRAMEWRIGHT_SMTP_URL');
  const from = environment.text('FRAMEWRIGHT_MAIL_FROM');
  if (url === undefined) return undefined;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '') {
    throw new ConfigError('FRAMEWRIGHT_SMTP_URL', 'not an address of the form smtp://user:password@host:port (or smtps://)');
  }
  if (from === undefined || !/^([^<>\r\n]*<)?[^\s<>@]+@[^\s<>@]+>?$/.test(from)) {
    throw new ConfigError(
      'FRAMEWRIGHT_MAIL_FROM',
      'must be the sender of e-mails, such as videos@example.com or "Videos <videos@example.com>", when FRAMEWRIGHT_SMTP_URL is set',
    );
  }
  return Object.freeze({ url, from });
}

function parseYoutube(text: string | undefined): ExportsConfig['youtube'] {
  if (text === undefined) return Object.freeze({ apiUrl: 'https://www.googleapis.com', tokenUrl: 'https://oauth2.googleapis.com/token' });
  if (!/^https?:\/\/[^/\s?#]+(\/[^\s?#]*)?$/.test(text) || !URL.canParse(text)) {
    throw new ConfigError('FRAMEWRIGHT_YOUTUBE_URL', `"${text}" is not a plain http:// or https:// address`);
  }
  const base = text.replace(/\/+$/, '');
  return Object.freeze({ apiUrl: base, tokenUrl: `${base}/token` });
}
