import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { exportsSchema, parseExports } from '../../../../src/delivery/exports/index.js';
import { AppError } from '../../../../src/errors/index.js';

const s3 = { type: 's3', bucket: 'films', access_key_id: 'AKIA1', secret_access_key: 'very-secret' };
const ftp = { type: 'ftp', host: 'ftp.example.com', username: 'films', password: 'very-secret' };
const sftp = { ...ftp, type: 'sftp' };
const email = { type: 'email', to: 'viewer@example.com', subject: 'Done', message: 'Here: __video_url__' };
const youtube = { type: 'youtube', title: 'Film', access_token: 'very-secret' };
const webhook = { type: 'webhook', endpoint: 'https://example.com/hook' };

function refusal(exports: unknown, policy = {}): { path: string | undefined; message: string } {
  try {
    parseExports(exports, policy);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    const { code, path, message } = error as AppError;
    expect(code).toBe('SCHEMA_VALIDATION_ERROR');
    return { path, message };
  }
  throw new Error('nothing was refused');
}

/** Wrong in one way each. */
const cases: Array<[what: string, exports: unknown, path: string, message: RegExp]> = [
  ['no list', {}, 'exports', /^exports must be a list of targets, not an object/],
  ['no object', ['ftp'], 'exports.0', /^exports\.0 must be an object, not "ftp"/],
  ['a type for a key', [{ webhook: { endpoint: 'x' } }], 'exports.0.webhook', /^A target names its type beside its fields: \{"type": "webhook", …\}\.$/],
  ['no type', [{ host: 'x' }], 'exports.0.type', /^type is missing.*"s3", "ftp", "sftp", "email", "youtube", "webhook".*destinations/],
  ['a mistyped type', [{ ...ftp, type: 'sfpt' }], 'exports.0.type', /not "sfpt"; did you mean "sftp"\?/],
  ['a named connection', [{ destinations: [{ id: 'My FTP' }] }], 'exports.0.destinations.0.id', /^Named connections such as "My FTP" do not exist here/],
  ['no destinations', [{ destinations: [] }], 'exports.0.destinations', /at least one/],
  ['a stray key beside destinations', [{ destinations: [ftp], host: 'x' }], 'exports.0.host', /^"host" is not a field of a list of destinations/],
  [
    'a missing field',
    [{ destinations: [webhook, { ...ftp, host: undefined }] }],
    'exports.0.destinations.1.host',
    /^host is missing: an ftp target needs type, host, username, password/,
  ],
  ['a missing field with two spellings', [{ ...s3, access_key_id: undefined }], 'exports.0.access_key_id', /^access_key_id is missing/],
  [
    'an unknown field',
    [{ ...ftp, 'remote-pth': '/' }],
    'exports.0.remote-pth',
    /^"remote-pth" is not a field of an ftp target; did you mean "remote-path"\? Allowed: type, output, host, port,/,
  ],
  ['a port out of range', [{ ...ftp, port: 70000 }], 'exports.0.port', /^port must be a whole number from 1 to 65535, not 70000/],
  ['a port that is no number', [{ ...ftp, port: '21a' }], 'exports.0.port', /not "21a"/],
  ['a URL as a host', [{ ...ftp, host: 'ftp://x/' }], 'exports.0.host', /^host must be a host name or an IP address/],
  ['a line break in a name', [{ ...ftp, file: 'a\r\nDELE b' }], 'exports.0.file', /^file must be one line of text/],
  ['a wrong choice', [{ ...ftp, secure: 'tls' }], 'exports.0.secure', /^secure must be one of false, true, "explicit", "implicit", not "tls"/],
  ['a fingerprint without TLS', [{ ...ftp, certificate_fingerprint: Array(32).fill('aa').join(':') }], 'exports.0.certificate_fingerprint', /needs secure/],
  ['no way to log in', [{ ...sftp, password: undefined }], 'exports.0.password', /needs password or private_key/],
  ['key and prefix', [{ ...s3, key: 'a', prefix: 'b' }], 'exports.0.prefix', /exclude each other/],
  ['an endpoint with a user', [{ ...s3, endpoint: 'https://a:b@store.example.com' }], 'exports.0.endpoint', /without user, query or fragment/],
  ['a number as a bucket', [{ ...s3, bucket: 7 }], 'exports.0.bucket', /^bucket must be the name of a bucket/],
  ['no address', [{ ...email, to: ['viewer@example.com', 'viewer'] }], 'exports.0.to.1', /^to\.1 must be an e-mail address.*not "viewer"/],
  ['no recipient', [{ ...email, to: [] }], 'exports.0.to', /or a list of 1 to 10 of them, not a list of 0\.$/],
  ['half a refresh token', [{ ...youtube, access_token: null, refresh_token: 'x', client_id: 'y' }], 'exports.0.client_secret', /^client_secret is missing/],
  ['no token', [{ ...youtube, access_token: null }], 'exports.0.access_token', /needs it, or refresh_token/],
  ['a mailto link', [{ ...webhook, endpoint: 'mailto:a@b' }], 'exports.0.endpoint', /^endpoint must be an http or https URL/],
  ['eleven targets', [{ destinations: Array(10).fill(webhook) }, webhook], 'exports.1', /at most 10 targets in all, not 11/],
];

describe('parseExports', () => {
  it('parses one object per target, with defaults', () => {
    expect(parseExports([s3, ftp, sftp, email, youtube, webhook])).toEqual([
      { type: 's3', path: 'exports.0', bucket: 'films', region: 'us-east-1', accessKeyId: 'AKIA1', secretAccessKey: 'very-secret', pathStyle: false },
      { type: 'ftp', path: 'exports.1', host: 'ftp.example.com', port: 21, username: 'films', password: 'very-secret', remotePath: './', secure: 'no' },
      { type: 'sftp', path: 'exports.2', host: 'ftp.example.com', port: 22, username: 'films', password: 'very-secret', remotePath: './' },
      { type: 'email', path: 'exports.3', to: ['viewer@example.com'], subject: 'Done', message: 'Here: __video_url__', attach: false },
      {
        type: 'youtube',
        path: 'exports.4',
        title: 'Film',
        description: '',
        tags: [],
        categoryId: '22',
        privacyStatus: 'private',
        madeForKids: false,
        notifySubscribers: false,
        access: { accessToken: 'very-secret' },
      },
      { type: 'webhook', path: 'exports.5', endpoint: 'https://example.com/hook', form: 'json' },
    ]);
  });

  it('parses the destinations of JSON2Video in order, with ports as text and both spellings', () => {
    const destinations = [
      { ...sftp, port: '2222', 'remote-path': '/in', file: 'a.mp4', secure: true, id: 'my-connection' },
      { ...ftp, remote_path: '/under', 'remote-path': '/hyphen' },
      { ...webhook, 'content-type': 'urlencoded' },
    ];
    expect(parseExports([{ destinations }, email])).toMatchObject([
      { type: 'sftp', path: 'exports.0.destinations.0', port: 2222, remotePath: '/in', file: 'a.mp4' },
      { type: 'ftp', path: 'exports.0.destinations.1', remotePath: '/under' },
      { type: 'webhook', path: 'exports.0.destinations.2', form: 'urlencoded' },
      { type: 'email', path: 'exports.1' },
    ]);
  });

  it('treats null as absent and ignores fields that the format ignores', () => {
    expect(parseExports(undefined)).toEqual([]);
    expect(parseExports(null)).toEqual([]);
    expect(parseExports([])).toEqual([]);
    const [target] = parseExports([{ ...ftp, port: null, _note: 1, comment: {}, 'client-data': [] }]);
    expect(target).toMatchObject({ port: 21 });
  });

  it('derives defaults from other fields', () => {
    expect(parseExports([{ ...ftp, secure: 'implicit' }])).toMatchObject([{ port: 990, secure: 'implicit' }]);
    expect(parseExports([{ ...ftp, secure: true }])).toMatchObject([{ port: 21, secure: 'explicit' }]);
    expect(parseExports([{ ...s3, endpoint: 'https://store.example.com' }])).toMatchObject([{ pathStyle: true }]);
    expect(parseExports([{ ...s3, endpoint: 'https://store.example.com', path_style: false }])).toMatchObject([{ pathStyle: false }]);
    const [withKey] = parseExports([{ ...sftp, password: null, private_key: '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n' }]);
    expect(withKey).not.toHaveProperty('password');
  });

  it.each(cases)('refuses %s at its path', (_what, exports, path, message) => {
    const refused = refusal(exports);
    expect(refused.path).toBe(path);
    expect(refused.message).toMatch(message);
  });

  it('shows no secret in an error', () => {
    const long = 'x'.repeat(1_100);
    for (const secret of ['very\nsecret', long]) {
      expect(refusal([{ ...ftp, password: secret }]).message).not.toContain(secret.slice(0, 10));
      expect(refusal([{ ...s3, secret_access_key: secret }]).message).not.toContain(secret.slice(0, 10));
    }
    expect(refusal([{ ...sftp, private_key: 'not-a-key-at-all' }]).message).toBe(
      'private_key must be a private key in PEM or OpenSSH form of up to 16384 characters, not what is given.',
    );
  });

  it('checks every host and URL of a script against the policy', () => {
    const asked: string[] = [];
    const policy = {
      checkHost: (host: string, port: number) => void asked.push(`${host}:${port}`),
      checkUrl: (url: string) => void asked.push(url),
    };
    parseExports([{ ...s3, endpoint: 'https://store.example.com' }, ftp, { ...sftp, port: 2022 }, email, youtube, webhook], policy);
    expect(asked).toEqual(['https://store.example.com', 'ftp.example.com:21', 'ftp.example.com:2022', 'https://example.com/hook']);
    expect(refusal([ftp], { checkHost: () => '10.0.0.1 is not a public address' })).toEqual({
      path: 'exports.0.host',
      message: 'host is refused: 10.0.0.1 is not a public address.',
    });
    expect(refusal([webhook], { checkUrl: () => 'no' })).toEqual({ path: 'exports.0.endpoint', message: 'endpoint is refused: no.' });
    expect(refusal([email], { hasMail: false }).path).toBe('exports.0.type');
  });
});

describe('the schema of exports', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: 'log', logger: false, ownProperties: true });
  const validate = ajv.compile(exportsSchema);

  it('has examples that are valid and can be parsed', () => {
    const parts = (exportsSchema as { $defs: Record<string, { examples?: unknown[] }> }).$defs;
    const examples = ['S3', 'Ftp', 'Sftp', 'Email', 'Youtube', 'Webhook'].map((type) => parts[`export${type}`]?.examples?.[0]);
    expect(validate(examples), JSON.stringify(validate.errors)).toBe(true);
    expect(parseExports(examples)).toHaveLength(6);
  });

  // What one field alone does not tell, and what only holds for the sum, is said by the parser.
  const beyondSchema = [
    'a fingerprint without TLS',
    'no way to log in',
    'key and prefix',
    'an endpoint with a user',
    'half a refresh token',
    'no token',
    'eleven targets',
  ];

  it.each(cases)('agrees with the parser about %s', (what, exports) => {
    expect(validate(exports)).toBe(beyondSchema.includes(what));
  });

  it.each([[[s3, ftp, sftp, email, youtube, webhook]], [[{ destinations: [{ ...ftp, port: '21' }] }]], [[]], [null]])(
    'accepts what the parser reads',
    (exports) => {
      expect(validate(exports), JSON.stringify(validate.errors)).toBe(true);
      expect(() => parseExports(exports)).not.toThrow();
    },
  );
});
