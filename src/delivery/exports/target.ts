/** A place that a finished file is delivered to. Strings may still hold macros. */
export type ExportTarget = S3Target | FtpTarget | SftpTarget | EmailTarget | YoutubeTarget | WebhookTarget;

export type ExportType = ExportTarget['type'];

interface Common {
  /** Dotted path in the script, e.g. `exports.0.destinations.1`. */
  path: string;
}

export interface S3Target extends Common {
  type: 's3';
  /** Absent: Amazon S3 in the region. */
  endpoint?: string;
  region: string;
  bucket: string;
  /** Full name of the object, or where none is given: prefix and the video's name. */
  key?: string;
  prefix?: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  pathStyle: boolean;
  acl?: string;
  storageClass?: string;
}

interface FileServer extends Common {
  host: string;
  port: number;
  username: string;
  remotePath: string;
  /** Absent: the video's name. */
  file?: string;
}

export interface FtpTarget extends FileServer {
  type: 'ftp';
  password: string;
  secure: 'no' | 'explicit' | 'implicit';
  /** SHA-256, upper case, with colons. */
  certificateFingerprint?: string;
}

export interface SftpTarget extends FileServer {
  type: 'sftp';
  password?: string;
  privateKey?: string;
  passphrase?: string;
  /** SHA-256 in base64 without padding. */
  hostKeyFingerprint?: string;
}

export interface EmailTarget extends Common {
  type: 'email';
  to: string[];
  replyTo?: string;
  subject: string;
  message: string;
  attach: boolean;
}

export type YoutubeAccess = { accessToken: string } | { refreshToken: string; clientId: string; clientSecret: string };

export interface YoutubeTarget extends Common {
  type: 'youtube';
  title: string;
  description: string;
  tags: string[];
  categoryId: string;
  privacyStatus: string;
  madeForKids: boolean;
  notifySubscribers: boolean;
  access: YoutubeAccess;
}

export interface WebhookTarget extends Common {
  type: 'webhook';
  endpoint: string;
  form: 'json' | 'urlencoded';
}
