import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../../engine/child-processes/index.js';
import { listGraphicsDeviceFiles, nvidiaDriver } from '../../engine/index.js';

/** Hardware and load of the host, for readers of the report. */
export interface HostDescription {
  processor: string;
  cores: number;
  governor?: string;
  memoryBytes: number;
  system: string;
  graphics: string[];
  /** Load average of the last minute before the benchmark. */
  load: number;
}

/** Versions of the measured software. */
export interface SoftwareDescription {
  /** Git commit of Framewright. */
  commit?: string;
  libraries: Record<string, string>;
}

/** Describes this host; unknown properties are left out. */
export async function describeHost(): Promise<HostDescription> {
  const governor = await textOf('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor');
  const osRelease = await textOf('/etc/os-release');
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    ...(governor !== '' && { governor }),
    memoryBytes: totalmem(),
    system: `${/^PRETTY_NAME="(.*)"$/m.exec(osRelease)?.[1] ?? process.platform}, kernel ${release()}`,
    graphics: await graphics(),
    load: loadavg()[0] ?? 0,
  };
}

/** Adds the commit and, on systems with dpkg, the versions of encoder packages to the given library versions. */
export async function describeSoftware(
  libraries: Record<string, string>,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<SoftwareDescription> {
  const folder = fileURLToPath(new URL('../../..', import.meta.url));
  const outputOf = async (program: string, args: string[]): Promise<string> => {
    const run = { args, stdin: '', folder, environment, timeoutMs: 10_000, maxOutputBytes: 100_000, signal };
    return runProgram(program, run).then(
      ({ stdout }) => stdout.toString('utf8').trim(),
      () => '',
    );
  };
  const commit = await outputOf('git', ['rev-parse', 'HEAD']);
  const patterns = ['libx264-*', 'libx265-*', 'libsvtav1enc*', 'libvpx[0-9]*', 'libdav1d*'];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders of dpkg-query
  const packages = await outputOf('dpkg-query', ['-W', '-f', '${Package} ${Version}\n', ...patterns]);
  const versions = packages.split('\n').flatMap((line): Array<[string, string]> => {
    const [name = '', version] = line.split(' ');
    return version === undefined || version === '' || name.endsWith('-dev') ? [] : [[name, version]];
  });
  return { ...(commit !== '' && { commit }), libraries: { ...libraries, ...Object.fromEntries(versions) } };
}

async function graphics(): Promise<string[]> {
  const { version, models } = await nvidiaDriver();
  return [...models, version.split('\n')[0] ?? '', ...listGraphicsDeviceFiles().renderNodes].filter((text) => text !== '');
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
}
