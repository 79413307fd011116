import { constants } from 'node:fs';
import { access, mkdir, readdir, statfs } from 'node:fs/promises';
import type { Config } from '../../config/index.js';
import { checkSandbox } from '../../engine/child-processes/index.js';
import { type Capabilities, createEngine, type EncoderProbeResult } from '../../engine/index.js';
import { isSandboxed } from '../../graphics/index.js';
import { describeRecogniser } from '../../providers/transcription/index.js';
import { requiredEncoders, unavailableMessage } from '../../render/index.js';
import type { Finding } from './finding.js';
import { compositorAdvice, decoderAdvice, encoderAdvice, graphicsFinding, listGraphicsDevices } from './graphics-devices.js';
import { programVersion } from './program-version.js';

type Check = (config: Config) => Promise<Finding[]>;

const gigabyte = 1e9;
/** A minute of film with its segments and its fetched media stays well below this. */
const enoughDiskBytes = 2 * gigabyte;

const checkNode: Check = async () => {
  const major = Number(process.versions.node.split('.')[0]);
  const detail = `${process.versions.node} (${process.platform} ${process.arch})`;
  return [{ topic: 'host', name: 'Node 20 or newer', ok: major >= 20, detail, essential: true }];
};

const checkEngine: Check = async (config) => {
  try {
    const capabilities = createEngine().capabilities();
    const { engineVersion, simd, libraries, encoders, compositors, handovers, decoders } = capabilities;
    const cards = await listGraphicsDevices();
    const usable = encoders.some((encoder) => encoder.available);
    return [
      { topic: 'engine', name: 'engine', ok: true, detail: `${engineVersion}, SIMD ${simd}`, essential: true },
      ...Object.entries(libraries).map(([name, version]) => ({ topic: 'engine', name, ok: true, detail: version, essential: false })),
      await graphicsFinding(config.engine, capabilities, cards),
      ...compositors.map(({ name, available, reason }) => {
        const detail = available ? reason : advised(reason, compositorAdvice(reason, cards));
        return { topic: 'compositor', name, ok: available, detail, essential: name === 'cpu' };
      }),
      ...encoders.map((verdict) => {
        const detail = verdict.available ? '' : advised(verdict.reason, encoderAdvice(verdict, cards));
        return { topic: 'encoder', name: verdict.name, ok: verdict.available, detail, essential: !usable };
      }),
      ...handovers.map(({ name, available, reason }) => ({
        topic: 'encoder',
        name: `frames stay on the card (${name})`,
        ok: available,
        detail: reason,
        essential: false,
      })),
      ...decoderFindings(config.engine.hardwareDecode, decoders),
      ...namedFindings(config.engine.encoder, encoders),
    ];
  } catch (error) {
    return [{ topic: 'engine', name: 'engine', ok: false, detail: error instanceof Error ? error.message : String(error), essential: true }];
  }
};

const advised = (reason: string, advice: string): string => (advice === '' ? reason : `${reason}; ${advice}`);

function decoderFindings(mode: Config['engine']['hardwareDecode'], decoders: Capabilities['decoders']): Finding[] {
  const found = { topic: 'decoder', essential: false };
  if (decoders.length === 0) {
    const detail = 'the processor decodes: there is neither /dev/nvidia0 nor a render node in /dev/dri (in a container, pass the devices through)';
    return [{ ...found, name: 'films are decoded by a card', ok: false, detail }];
  }
  return decoders.map(({ name, codec, available, reason }) => {
    const where = mode === 'on' ? 'wherever it can' : 'for films where that is clearly faster';
    const used = mode === 'off' ? 'proven; switched off by FRAMEWRIGHT_HARDWARE_DECODE' : `proven; used ${where}`;
    const detail = available ? used : advised(reason, decoderAdvice(reason));
    return { ...found, name: `${codec} films are decoded by the card (${name})`, ok: available && mode !== 'off', detail };
  });
}

/** What the operator relies on. */
function namedFindings(wanted: Config['engine']['encoder'], verdicts: readonly EncoderProbeResult[]): Finding[] {
  const names: readonly string[] = requiredEncoders(wanted);
  if (names.length === 0) return [];
  const named = verdicts.filter(({ name }) => names.includes(name));
  const opened = named.filter(({ available }) => available).map(({ name }) => name);
  const detail = opened.length > 0 ? opened.join(', ') : unavailableMessage(wanted, named);
  return [{ topic: 'encoder', name: `FRAMEWRIGHT_ENCODER=${wanted}`, ok: opened.length > 0, detail, essential: true }];
}

interface Program {
  topic: string;
  program: string;
  versionArgs: string[];
  without: string;
}

const programs: Program[] = [
  {
    topic: 'program',
    program: 'ffmpeg',
    versionArgs: ['-version'],
    without: 'the demo cannot draw its film clip and the tests have no witness; renders do not need it (apt: ffmpeg)',
  },
  {
    topic: 'voice',
    program: 'festival',
    versionArgs: ['--version'],
    without: 'not on PATH (apt: festival festvox-us-slt-hts); for the voices of this machine',
  },
  {
    topic: 'voice',
    program: 'flite',
    versionArgs: ['--version'],
    without: 'not on PATH (apt: flite); for the voices of this machine',
  },
  {
    topic: 'voice',
    program: 'espeak-ng',
    versionArgs: ['--version'],
    without: 'not on PATH (apt: espeak-ng); for the voices of this machine',
  },
];

const checkPrograms: Check = () =>
  Promise.all(
    programs.map(async ({ topic, program, versionArgs, without }) => {
      const version = await programVersion(program, versionArgs);
      return { topic, name: program, ok: version !== undefined, detail: version ?? without, essential: false };
    }),
  );

const checkBrowser: Check = async ({ html: { chromium } }) => {
  const version = chromium === undefined ? undefined : await programVersion(chromium, ['--version']);
  const found = { topic: 'browser', name: 'chromium', essential: false };
  if (chromium === undefined || version === undefined) {
    return [
      {
        ...found,
        ok: false,
        detail: "movies with html elements fail: no headless shell on PATH (apt: chromium-headless-shell) or at FRAMEWRIGHT_CHROMIUM's path",
      },
    ];
  }
  const sandboxed = isSandboxed();
  return [
    { ...found, ok: true, detail: `${version}, ${chromium}` },
    {
      topic: 'browser',
      name: "chromium's sandbox",
      ok: sandboxed,
      detail: sandboxed ? 'on' : 'off, because root cannot have it; render as another user if strangers send html elements',
      essential: false,
    },
  ];
};

interface SystemFont {
  name: string;
  pattern: RegExp;
  without: string;
}

const systemFonts: SystemFont[] = [
  { name: 'Noto, for most scripts', pattern: /NotoSans.*\.ttf$/, without: 'text in scripts that the bundled fonts lack shows boxes (apt: fonts-noto-core)' },
  { name: 'Noto Emoji', pattern: /NotoColorEmoji\.ttf$/, without: 'emoji are left out (apt: fonts-noto-color-emoji)' },
  { name: 'Noto CJK', pattern: /NotoSansCJK.*\.(ttc|otf)$/, without: 'Chinese, Japanese and Korean text is left out (apt: fonts-noto-cjk)' },
];

const checkFonts: Check = async () => {
  const folders = ['/usr/share/fonts', '/usr/local/share/fonts', '/Library/Fonts'];
  const lists = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true }).catch(() => [])));
  const files = lists.flat();
  return systemFonts.map(({ name, pattern, without }) => {
    const count = files.filter((file) => pattern.test(file)).length;
    return { topic: 'font', name, ok: count > 0, detail: count > 0 ? `${count} files` : without, essential: false };
  });
};

const checkData: Check = async ({ storage: { dataDir } }) => {
  const name = 'data folder can be written';
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK);
  } catch (error) {
    return [{ topic: 'host', name, ok: false, detail: `${dataDir}: ${(error as NodeJS.ErrnoException).code}`, essential: true }];
  }
  const { bavail, bsize } = await statfs(dataDir);
  const freeBytes = bavail * bsize;
  return [
    { topic: 'host', name, ok: true, detail: dataDir, essential: true },
    {
      topic: 'host',
      name: 'free disk space',
      ok: freeBytes >= enoughDiskBytes,
      detail: `${(freeBytes / gigabyte).toFixed(1)} GB (2 GB or more wanted)`,
      essential: false,
    },
  ];
};

const checkSpeechToText: Check = async ({ speechToText }) => {
  const { available, detail } = describeRecogniser(speechToText);
  return [{ topic: 'speech to text', name: 'recogniser', ok: available, detail, essential: false }];
};

const checkConfinement: Check = async ({ sandbox: { mode, limits, fontSanitizer } }) => {
  const found = await checkSandbox();
  const isOff = mode === 'off';
  const layers = found.map(({ layer, purpose, on, detail }) => ({
    topic: 'sandbox',
    name: purpose,
    ok: on && !isOff,
    detail: isOff ? 'switched off by FRAMEWRIGHT_SANDBOX' : [layer, detail].filter((part) => part !== '').join(', '),
    essential: mode === 'required' && layer !== 'network',
  }));
  const { memoryMb, cpuSeconds, fileMb } = limits;
  const detail = isOff
    ? `${memoryMb} MB of memory; processor time and files are not limited without the sandbox`
    : `${memoryMb} MB of memory, ${cpuSeconds / 60} minutes of processor time, files of ${fileMb} MB`;
  return [
    ...layers,
    { topic: 'sandbox', name: 'limits of a render', ok: !isOff, detail, essential: false },
    {
      topic: 'sandbox',
      name: 'fonts by address: written anew before they are drawn with',
      ok: fontSanitizer !== undefined,
      detail:
        fontSanitizer ??
        `no ots-sanitize on PATH (apt: opentype-sanitizer): ${mode === 'required' ? 'such fonts are not used' : 'only their tables are looked at'}`,
      essential: false,
    },
  ];
};

const checks: Check[] = [checkNode, checkData, checkEngine, checkConfinement, checkFonts, checkBrowser, checkPrograms, checkSpeechToText];

/** Looks at everything that a render may need on this host. */
export async function examineHost(config: Config): Promise<Finding[]> {
  return (await Promise.all(checks.map((check) => check(config)))).flat();
}
