import { posix } from 'node:path';
import type { ExportFile } from '../delivery.js';
import { randomWord } from '../macros.js';
import type { FtpTarget, SftpTarget } from '../target.js';

/** The path of a file on an FTP or SFTP server. */
export interface RemoteName {
  /** Folder and name on the server. */
  path: string;
  /** `.` is the account's start folder. */
  folder: string;
  name: string;
  /** In the same folder, so that observers of the final name never see a partial file. A repeated delivery overwrites what an interrupted one left. */
  temporaryName: string;
}

/** Builds the remote path of a file and a temporary name beside it. */
export function remoteName(target: FtpTarget | SftpTarget, file: ExportFile): RemoteName {
  const path = posix.join(target.remotePath, target.file ?? file.name);
  const name = posix.basename(path);
  return { path, folder: posix.dirname(path), name, temporaryName: `.${name}.${randomWord(file, target)}.part` };
}

/** URL of a delivered file, without the account. */
export function locationOf(scheme: string, target: { host: string; port: number }, standardPort: number, path: string): string {
  const host = target.host.includes(':') && !target.host.startsWith('[') ? `[${target.host}]` : target.host;
  const port = target.port === standardPort ? '' : `:${target.port}`;
  return `${scheme}://${host}${port}/${path.replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/')}`;
}
