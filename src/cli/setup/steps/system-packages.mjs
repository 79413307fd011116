import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand, SetupError } from '../run-command.mjs';
import { createStamp } from '../stamp.mjs';
import { systemRequirements } from './system-requirements.mjs';

const includeFolders = ['/usr/include', '/usr/local/include', '/opt/homebrew/include'];
const otherSystems = `On Fedora: the same names by dnf, mostly with -devel for -dev (ffmpeg-devel is in RPM Fusion; nv-codec-headers). On Arch: ffmpeg, ffnvcodec-headers, highway, rapidjson, doctest,
ninja, cmake, pkgconf, noto-fonts, noto-fonts-emoji by pacman. On macOS: ffmpeg, highway, rapidjson, doctest, ninja, cmake, pkgconf by brew.`;

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function installedByDpkg(names) {
  // The exit code is 1 if any name is unknown, but the output is still correct.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders of dpkg-query
  const result = spawnSync('dpkg-query', ['-W', '-f=${Package} ${db:Status-Status}\n', ...names], { encoding: 'utf8' });
  const lines = (result.stdout ?? '').split('\n');
  return new Set(lines.filter((line) => line.endsWith(' installed')).map((line) => line.split(' ')[0]));
}

function isUsable(requirement) {
  if (requirement.program) return isOnPath(requirement.program);
  if (requirement.library) return spawnSync('pkg-config', ['--exists', requirement.library]).status === 0;
  return requirement.header !== undefined && includeFolders.some((folder) => existsSync(join(folder, requirement.header)));
}

function listMissing(flags) {
  const requirements = systemRequirements(flags);
  const installed = installedByDpkg(requirements.map((requirement) => requirement.apt));
  return requirements.filter((requirement) => !installed.has(requirement.apt) && !isUsable(requirement));
}

/** Command prefix that runs a command as root; undefined if this user cannot. */
function rootPrefix(progress) {
  if (process.getuid?.() === 0) return [];
  if (!isOnPath('sudo')) return undefined;
  if (spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0) return ['sudo', '-n'];
  if (!process.stdin.isTTY) return undefined;
  progress.line('System packages are missing. Installing them needs your password (sudo):');
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

/** apt-get rejects a whole list for one unknown name, and some distributions lack optional packages. */
const isOffered = (requirement) => !requirement.optional || spawnSync('apt-cache', ['show', requirement.apt], { stdio: 'ignore' }).status === 0;

async function installByApt(missing, prefix, { progress, log }) {
  const apt = (args, options) => {
    const settings = ['DEBIAN_FRONTEND=noninteractive', 'NEEDRESTART_MODE=a'];
    const [command, ...rest] = [...prefix, 'env', ...settings, 'apt-get', '-o', 'DPkg::Lock::Timeout=300', ...args];
    return runCommand(log, command, rest, options);
  };
  await progress.step('updating the list of system packages', async () => {
    // An outdated list often suffices; otherwise the installation fails.
    await apt(['update']).catch((error) => log.write(`${error.message}\n`));
  });
  const names = missing.filter(isOffered).map((requirement) => requirement.apt);
  if (names.length === 0) return;
  await progress.step(`installing ${names.length} system packages (${names.join(' ')})`, () =>
    apt(['install', '-y', '--no-install-recommends', ...names], { advice: describeMissing(missing, 'apt-get could not install them') }),
  );
}

/** Remembers the optional packages that are reported as missing, so that each is reported once. */
const notedStamp = createStamp('build', '.system-packages-noted');
const namesOf = (requirements) => requirements.map((requirement) => requirement.apt).join(' ');

function reportOptional(optional, progress) {
  for (const requirement of optional) progress.line(`  note: ${requirement.apt} is not installed: ${requirement.optional}`);
  notedStamp.write(namesOf(optional));
}

/** Step 1: installs compilers, libav and fonts from the operating system. */
export const systemPackages = {
  isCurrent(flags) {
    const missing = listMissing(flags);
    return missing.length === 0 || (missing.every((requirement) => requirement.optional) && notedStamp.matches(namesOf(missing)));
  },

  async run({ flags, progress, log }) {
    const missing = listMissing(flags);
    const hasApt = isOnPath('apt-get');
    const prefix = hasApt ? rootPrefix(progress) : undefined;
    if (prefix) {
      await installByApt(missing, prefix, { progress, log });
      const remaining = listMissing(flags);
      const required = remaining.filter((requirement) => !requirement.optional);
      if (required.length > 0) throw new SetupError(describeMissing(required, 'apt-get did not install them'));
      reportOptional(remaining, progress);
      return;
    }
    if (missing.some((requirement) => !requirement.optional)) {
      const why = hasApt ? 'this user cannot install them (not root, and sudo is missing or needs a password)' : 'this system has no apt-get';
      throw new SetupError(describeMissing(missing, why));
    }
    reportOptional(missing, progress);
  },
};
