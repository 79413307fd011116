import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Folders of system and user fonts. */
export function systemFontFolders(): string[] {
  const account = home();
  const own = account === undefined ? [] : [join(account, '.fonts'), join(account, '.local/share/fonts')];
  return ['/usr/share/fonts', '/usr/local/share/fonts', ...own];
}

/** Undefined for users without an account, e.g. in containers started with a bare user id. */
function home(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/**
 * Hash of the installed font files; changes when a font is added, removed or replaced. Skia's choice of a fallback font
 * is not known, so text that may need one depends on all fonts.
 */
export function fingerprintSystemFonts(folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const folder of folders) {
    let names: string[];
    try {
      names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    } catch {
      continue;
    }
    for (const name of names.filter((entry) => /\.(?:ttf|otf|ttc|otc|woff2?|pfb)$/i.test(entry)).sort()) {
      const { size, mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
      hash.update(`${name}\0${size}\0${Math.round(mtimeMs)}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}
