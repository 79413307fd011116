import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from '../run-command.mjs';
import { SetupError } from '../setup-error.mjs';
import { createStamp } from '../stamp.mjs';
import { systemRequirements } from './system-requirements.mjs';

const includeFolders = ['/usr/include', '/usr/local/include', '/opt/homebrew/include'];
const otherSystems = `On Fedora: the same names by dnf, mostly with -devel for -dev (ffmpeg-devel is in RPM Fusion). On Arch: ffmpeg, highway, rapidjson, doctest,
ninja, cmake, pkgconf, noto-fonts, noto-fonts-emoji by pacman. On macOS: ffmpeg, highway, rapidjson, doctest, ninja, cmake, pkgconf by brew.`;

function findProgram(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

function installedByDpkg(names) {
  // Its exit code is 1 as soon as one name is unknown; the other lines are good all the same.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own placeholders.
  const result = spawnSync('dpkg-query', ['-W', '-f=${Package} ${db:Status-Status}\n', ...names], { encoding: 'utf8' });
  const lines = (result.stdout ?? '').split('\n');
  return new Set(lines.filter((line) => line.endsWith(' installed')).map((line) => line.split(' ')[0]));
}

function isUsable(requirement) {
  if (requirement.program) {
    return findProgram(requirement.program) !== undefined;
  }
  if (requirement.library) {
    return spawnSync('pkg-config', ['--exists', requirement.library]).status === 0;
  }
  return requirement.header !== undefined && includeFolders.some((folder) => existsSync(join(folder, requirement.header)));
}

function listMissing(flags) {
  const requirements = systemRequirements(flags);
  const installed = installedByDpkg(requirements.map((requirement) => requirement.apt));
  return requirements.filter((requirement) => !installed.has(requirement.apt) && !isUsable(requirement));
}

/** How to become root: an argument list to put before a command, or undefined when there is no way. */
function rootPrefix(progress) {
  if (process.getuid?.() === 0) {
    return [];
  }
  if (!findProgram('sudo')) {
    return undefined;
  }
  if (spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0) {
    return ['sudo', '-n'];
  }
  if (!process.stdin.isTTY) {
    return undefined;
  }
  progress.line('System packages are missing; installing them needs your password (sudo):');
  return spawnSync('sudo', ['-v'], { stdio: 'inherit' }).status === 0 ? ['sudo', '-n'] : undefined;
}

function describeMissing(missing, why) {
  const names = namesOf(missing);
  return `These system packages are missing, and ${why}:
  ${names}
Install them, then run the same command again. On Debian 12, Ubuntu 24.04 or newer:
  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${names}
${otherSystems}`;
}

/** apt refuses a whole list for one unknown name, and not every distribution has the optional ones. */
const isOffered = (requirement) => !requirement.optional || spawnSync('apt-cache', ['show', requirement.apt], { stdio: 'ignore' }).status === 0;

async function installByApt(missing, prefix, { progress, log }) {
  const apt = (args, options) => {
    const settings = ['DEBIAN_FRONTEND=noninteractive', 'NEEDRESTART_MODE=a'];
    const [command, ...rest] = [...prefix, 'env', ...settings, 'apt-get', '-o', 'DPkg::Lock::Timeout=300', ...args];
    return runCommand(log, command, rest, options);
  };
  await progress.step('updating the list of system packages', async () => {
    // An outdated list is often good enough; when it is not, the install says so.
    await apt(['update']).catch((error) => log.write(`${error.message}\n`));
  });
  const names = missing.filter(isOffered).map((requirement) => requirement.apt);
  if (names.length === 0) {
    return;
  }
  await progress.step(`installing ${names.length} system packages (${names.join(' ')})`, () =>
    apt(['install', '-y', '--no-install-recommends', ...names], { failure: describeMissing(missing, 'apt-get could not install them') }),
  );
}

/** Optional packages that are known to be out of reach here, so that they are mentioned once only. */
const notedStamp = createStamp('build', '.system-packages-noted');
const namesOf = (requirements) => requirements.map((requirement) => requirement.apt).join(' ');

function noteAbsent(optional, progress) {
  for (const requirement of optional) {
    progress.line(`  note: ${requirement.apt} is not installed: ${requirement.optional}`);
  }
  notedStamp.write(namesOf(optional));
}

/** Step 1: compilers, libav and fonts from the operating system. */
export const systemPackages = {
  isCurrent(flags) {
    const missing = listMissing(flags);
    return missing.length === 0 || (missing.every((requirement) => requirement.optional) && notedStamp.matches(namesOf(missing)));
  },

  async run({ flags, progress, log }) {
    const missing = listMissing(flags);
    const apt = findProgram('apt-get');
    const prefix = apt ? rootPrefix(progress) : undefined;
    if (prefix) {
      await installByApt(missing, prefix, { progress, log });
      const absent = listMissing(flags);
      const still = absent.filter((requirement) => !requirement.optional);
      if (still.length > 0) {
        throw new SetupError(describeMissing(still, 'they are still not there after apt-get installed them'));
      }
      noteAbsent(absent, progress);
      return;
    }
    if (missing.some((requirement) => !requirement.optional)) {
      throw new SetupError(
        describeMissing(missing, apt ? 'this user may not install them (not root, and sudo is not there or wants a password)' : 'there is no apt-get here'),
      );
    }
    noteAbsent(missing, progress);
  },
};
