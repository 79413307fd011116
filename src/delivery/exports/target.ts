/** A delivery target for the finished file. Texts may contain macros. */
export type ExportTarget = S3Target | FtpTarget | SftpTarget | EmailTarget | YoutubeTarget | WebhookTarget;

/** Discriminator of a target, e.g. `s3`. */
export type ExportType = ExportTarget['type'];

interface BaseTarget {
  /** Dotted path in the script, e.g. `exports.0.destinations.1`. */
  path: string;
  /** Name of the output to deliver. Default: the primary one. */
  output?: string;
}

export interface S3Target extends BaseTarget {
  type: 's3';
  /** Default: Amazon S3 in the region. */
  endpoint?: string;
  region: string;
  bucket: string;
  /** Full object key; default: the prefix followed by the video's name. */
  key?: string;
  prefix?: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  pathStyle: boolean;
  acl?: string;
  storageClass?: string;
}

interface FileServerTarget extends BaseTarget {
  host: string;
  port: number;
  username: string;
  remotePath: string;
  /** Default: the video's name. */
  file?: string;
}

export interface FtpTarget extends FileServerTarget {
  type: 'ftp';
  password: string;
  secure: 'no' | 'explicit' | 'implicit';
  /** SHA-256, upper case, with colons. */
  certificateFingerprint?: string;
}

export interface SftpTarget extends FileServerTarget {
  type: 'sftp';
  password?: string;
  privateKey?: string;
  passphrase?: string;
  /** SHA-256 in base64 without padding. */
  hostKeyFingerprint?: string;
}

export interface EmailTarget extends BaseTarget {
  type: 'email';
  to: string[];
  replyTo?: string;
  subject: string;
  message: string;
  attach: boolean;
}

export type YoutubeAccess = { accessToken: string } | { refreshToken: string; clientId: string; clientSecret: string };

export interface YoutubeTarget extends BaseTarget {
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

export interface WebhookTarget extends BaseTarget {
  type: 'webhook';
  endpoint: string;
  form: 'json' | 'urlencoded';
}
