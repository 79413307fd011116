import { posix } from 'node:path';
import { randomWord } from '../macros.js';

/** The path of a file on an FTP or SFTP server. */
export interface RemoteName {
  /** Folder and name on the server. */
  path: string;
  /** `.` is the account's start folder. */
  folder: string;
  name: string;
  /** In the same folder, so that observers of the final name never see a partial file. */
  temporaryName: string;
}

/** Builds the remote path of a file and a temporary name beside it. */
export function remoteName(target: { remotePath: string; file?: string }, file: { name: string }, random: () => number): RemoteName {
  const path = posix.join(target.remotePath, target.file ?? file.name);
  const name = posix.basename(path);
  return { path, folder: posix.dirname(path), name, temporaryName: `.${name}.${randomWord(random)}.part` };
}

/** URL of a delivered file, without the account. */
export function locationOf(scheme: string, target: { host: string; port: number }, standardPort: number, path: string): string {
  const host = target.host.includes(':') && !target.host.startsWith('[') ? `[${target.host}]` : target.host;
  const port = target.port === standardPort ? '' : `:${target.port}`;
  return `${scheme}://${host}${port}/${path.replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/')}`;
}
