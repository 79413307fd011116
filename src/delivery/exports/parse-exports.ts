import { fail, joinPath, type NamedOutput, nearestName, outputFormats, primaryOutput, show } from '../../script/index.js';
import { definitionOfType, exportTypes, schemaDefinition } from './export-schema.js';
import type { EmailTarget, ExportTarget, ExportType, FtpTarget, S3Target, SftpTarget, WebhookTarget, YoutubeAccess, YoutubeTarget } from './target.js';
import { asObject, TargetFields } from './target-fields.js';

/** The service's restrictions on targets. The checks return the reason for a rejection, or undefined; an absent check allows everything. */
export interface ExportPolicy {
  checkUrl?: (url: string) => string | undefined;
  checkHost?: (host: string, port: number) => string | undefined;
  /** Whether a mail server is configured; default true. */
  hasMail?: boolean;
  /** The movie's outputs. Absent: there are none. */
  outputs?: readonly NamedOutput[];
}

const MAX_TARGETS = 10;

/** Reads a script's `exports`, in Framewright's or JSON2Video's form, in order of delivery; throws AppError SCHEMA_VALIDATION_ERROR. */
export function parseExports(exports: unknown, policy: ExportPolicy = {}): ExportTarget[] {
  if (exports === undefined || exports === null) return [];
  const targets = asList(exports, 'exports').flatMap((item, index) => parseItem(item, joinPath('exports', index), policy));
  const first = targets[MAX_TARGETS];
  if (first !== undefined) fail(first.path, `exports may name at most ${MAX_TARGETS} targets in all, not ${targets.length}.`);
  return targets;
}

function asList(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) fail(path, `${path.slice(path.lastIndexOf('.') + 1)} must be a list of targets, not ${show(value)}.`);
  return value as unknown[];
}

function parseItem(item: unknown, path: string, policy: ExportPolicy): ExportTarget[] {
  const object = asObject(item, path);
  if (!Object.hasOwn(object, 'destinations')) return [parseTarget(object, path, policy)];
  const listPath = joinPath(path, 'destinations');
  const destinations = asList(object.destinations, listPath);
  if (destinations.length === 0) fail(listPath, 'destinations must name at least one target.');
  // Only rejects unknown fields beside the list; the list itself is read below.
  const part = schemaDefinition('exportList');
  new TargetFields(object, { ...part, properties: { ...part.properties, destinations: {} } }, path, 'a list of destinations');
  return destinations.map((destination, index) => parseTarget(asObject(destination, joinPath(listPath, index)), joinPath(listPath, index), policy));
}

function parseTarget(object: Readonly<Record<string, unknown>>, path: string, policy: ExportPolicy): ExportTarget {
  const type = typeOf(object, path);
  const fields = new TargetFields(object, definitionOfType(type), path, `${/^[yw]/.test(type) ? 'a' : 'an'} ${type} target`);
  const output = parseOutput(fields, policy);
  if (type === 'youtube') checkVideo(output, fields, policy);
  return { ...parseTyped(type, fields, path, policy), ...given('output', output) };
}

/** YouTube takes one video file. */
function checkVideo(name: string | undefined, fields: TargetFields, { outputs = [] }: ExportPolicy): void {
  if (outputs.length === 0) return;
  const output = outputs.find((one) => one.name === name) ?? primaryOutput(outputs);
  if (outputFormats[output.format].kind === 'video') return;
  fail(fields.pathOf('output'), `output must be the name of a video for YouTube; ${show(output.name)} is a ${output.format} file.`);
}

function parseOutput(fields: TargetFields, { outputs = [] }: ExportPolicy): string | undefined {
  const name = fields.optionalText('output');
  const names = outputs.map((output) => output.name);
  if (name === undefined || names.includes(name)) return name;
  const allowed = names.length === 0 ? 'the movie has no outputs with names' : `the outputs are ${names.map(show).join(', ')}`;
  return fail(fields.pathOf('output'), `output must be the name of an output of the movie, not ${show(name)}; ${allowed}.`);
}

function parseTyped(type: ExportType, fields: TargetFields, path: string, policy: ExportPolicy): ExportTarget {
  switch (type) {
    case 's3':
      return parseS3(fields, path, policy);
    case 'ftp':
      return parseFtp(fields, path, policy);
    case 'sftp':
      return parseSftp(fields, path, policy);
    case 'email':
      return parseEmail(fields, path, policy);
    case 'youtube':
      return parseYoutube(fields, path);
    case 'webhook':
      return parseWebhook(fields, path, policy);
  }
}

function typeOf(object: Readonly<Record<string, unknown>>, path: string): ExportType {
  const { type, id } = object;
  const known = exportTypes.map((name) => `"${name}"`).join(', ');
  if (type === undefined || type === null) {
    if (id !== undefined) {
      fail(joinPath(path, 'id'), `Named connections such as ${show(id)} do not exist here: give the target's type (${known}) and its fields.`);
    }
    const named = exportTypes.find((name) => typeof object[name] === 'object' && object[name] !== null);
    if (named !== undefined) fail(joinPath(path, named), `A target names its type beside its fields: {"type": "${named}", …}.`);
    fail(joinPath(path, 'type'), `type is missing: a target's type is one of ${known}; or give destinations, a list of targets.`);
  }
  if (typeof type === 'string' && exportTypes.includes(type)) return type as ExportType;
  const near = typeof type === 'string' ? nearestName(type, exportTypes) : undefined;
  return fail(joinPath(path, 'type'), `type must be one of ${known}, not ${show(type)}${near === undefined ? '' : `; did you mean "${near}"?`}.`);
}

/** An object with the key, or without it when the value is undefined. */
function given<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: string };
}

function parseS3(fields: TargetFields, path: string, policy: ExportPolicy): S3Target {
  if (fields.has('key') && fields.has('prefix')) fail(fields.pathOf('prefix'), 'prefix and key exclude each other: key is the full name of the object.');
  const endpoint = fields.optionalText('endpoint');
  if (endpoint !== undefined) {
    const url = checkedUrl(endpoint, fields.pathOf('endpoint'), policy);
    if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
      fail(fields.pathOf('endpoint'), 'endpoint must be a plain http or https URL, without user, query or fragment.');
    }
  }
  return {
    type: 's3',
    path,
    region: fields.text('region'),
    bucket: fields.text('bucket'),
    accessKeyId: fields.text('access_key_id'),
    secretAccessKey: fields.text('secret_access_key'),
    pathStyle: fields.optionalFlag('path_style') ?? endpoint !== undefined,
    ...given('endpoint', endpoint),
    ...given('key', fields.optionalText('key')),
    ...given('prefix', fields.optionalText('prefix')),
    ...given('sessionToken', fields.optionalText('session_token')),
    ...given('acl', fields.optionalText('acl')),
    ...given('storageClass', fields.optionalText('storage_class')),
  };
}

function parseFtp(fields: TargetFields, path: string, policy: ExportPolicy): FtpTarget {
  const choice = fields.text('secure');
  const secure = choice === 'implicit' ? 'implicit' : choice === 'false' ? 'no' : 'explicit';
  if (secure === 'no' && fields.has('certificate_fingerprint')) {
    fail(fields.pathOf('certificate_fingerprint'), 'certificate_fingerprint needs secure: plain FTP has no certificate.');
  }
  return {
    type: 'ftp',
    path,
    ...parseServer(fields, secure === 'implicit' ? 990 : 21, policy),
    password: fields.text('password'),
    secure,
    ...given('certificateFingerprint', fields.optionalText('certificate_fingerprint')?.toUpperCase()),
  };
}

function parseSftp(fields: TargetFields, path: string, policy: ExportPolicy): SftpTarget {
  if (!fields.has('password') && !fields.has('private_key'))
    fail(fields.pathOf('password'), 'password is missing: an sftp target needs password or private_key.');
  return {
    type: 'sftp',
    path,
    ...parseServer(fields, 22, policy),
    ...given('password', fields.optionalText('password')),
    ...given('privateKey', fields.optionalText('private_key')),
    ...given('passphrase', fields.optionalText('passphrase')),
    ...given(
      'hostKeyFingerprint',
      fields
        .optionalText('host_key_fingerprint')
        ?.replace(/^SHA256:/, '')
        .replace(/=$/, ''),
    ),
  };
}

function parseServer(fields: TargetFields, standardPort: number, policy: ExportPolicy): Pick<SftpTarget, 'host' | 'port' | 'username' | 'remotePath' | 'file'> {
  const host = fields.text('host');
  const port = Number(fields.optionalText('port') ?? standardPort);
  const reason = policy.checkHost?.(host, port);
  if (reason !== undefined) fail(fields.pathOf('host'), `host is refused: ${reason}.`);
  return { host, port, username: fields.text('username'), remotePath: fields.text('remote_path'), ...given('file', fields.optionalText('file')) };
}

function parseEmail(fields: TargetFields, path: string, policy: ExportPolicy): EmailTarget {
  if (policy.hasMail === false)
    fail(joinPath(path, 'type'), 'This service sends no e-mail: its operator has not configured a mail server (FRAMEWRIGHT_SMTP_URL).');
  return {
    type: 'email',
    path,
    to: fields.texts('to'),
    subject: fields.text('subject'),
    message: fields.text('message'),
    attach: fields.flag('attach'),
    ...given('replyTo', fields.optionalText('reply_to')),
  };
}

function parseYoutube(fields: TargetFields, path: string): YoutubeTarget {
  return {
    type: 'youtube',
    path,
    title: fields.text('title'),
    description: fields.text('description'),
    tags: fields.texts('tags'),
    categoryId: fields.text('category_id'),
    privacyStatus: fields.text('privacy_status'),
    madeForKids: fields.flag('made_for_kids'),
    notifySubscribers: fields.flag('notify_subscribers'),
    access: parseAccess(fields),
  };
}

function parseAccess(fields: TargetFields): YoutubeAccess {
  if (fields.has('access_token')) return { accessToken: fields.text('access_token') };
  const missing = ['refresh_token', 'client_id', 'client_secret'].filter((name) => !fields.has(name));
  if (missing.length === 3)
    fail(fields.pathOf('access_token'), 'access_token is missing: a youtube target needs it, or refresh_token with client_id and client_secret.');
  const [first] = missing;
  if (first !== undefined) fail(fields.pathOf(first), `${first} is missing: a refresh token needs refresh_token, client_id and client_secret.`);
  return { refreshToken: fields.text('refresh_token'), clientId: fields.text('client_id'), clientSecret: fields.text('client_secret') };
}

function parseWebhook(fields: TargetFields, path: string, policy: ExportPolicy): WebhookTarget {
  const endpoint = fields.text('endpoint');
  checkedUrl(endpoint, fields.pathOf('endpoint'), policy);
  return { type: 'webhook', path, endpoint, form: fields.text('content_type').endsWith('urlencoded') ? 'urlencoded' : 'json' };
}

function checkedUrl(text: string, path: string, policy: ExportPolicy): URL {
  if (!URL.canParse(text)) fail(path, 'endpoint must be an http or https URL.');
  const reason = policy.checkUrl?.(text);
  if (reason !== undefined) fail(path, `endpoint is refused: ${reason}.`);
  return new URL(text);
}
