import { posix } from 'node:path';
import { randomWord } from '../macros.js';

export interface RemoteName {
  /** Folder and name as the server sees them. */
  path: string;
  /** `.` is where the account starts. */
  folder: string;
  name: string;
  /** Beside the final name: whoever watches the folder never sees half a file. */
  temporaryName: string;
}

export function remoteName(target: { remotePath: string; file?: string }, file: { name: string }, random: () => number): RemoteName {
  const path = posix.join(target.remotePath, target.file ?? file.name);
  const name = posix.basename(path);
  return { path, folder: posix.dirname(path), name, temporaryName: `.${name}.${randomWord(random)}.part` };
}

/** Without the account: a location may be shown. */
export function locationOf(scheme: string, target: { host: string; port: number }, standardPort: number, path: string): string {
  const host = target.host.includes(':') && !target.host.startsWith('[') ? `[${target.host}]` : target.host;
  const port = target.port === standardPort ? '' : `:${target.port}`;
  return `${scheme}://${host}${port}/${path.replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/')}`;
}
