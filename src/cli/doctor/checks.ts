import { constants } from 'node:fs';
import { access, mkdir, readdir, statfs } from 'node:fs/promises';
import type { Config } from '../../config/index.js';
import { checkSandbox } from '../../engine/child-processes/index.js';
import type { Capabilities, EncoderProbeResult } from '../../engine/index.js';
import { AppError } from '../../errors/index.js';
import { isSandboxed } from '../../graphics/index.js';
import { describeRecogniser } from '../../providers/transcription/index.js';
import { requiredEncoders, unavailableMessage } from '../../render/index.js';
import { withLocalEngine } from '../local-render.js';
import type { Finding } from './finding.js';
import { compositorAdvice, decoderAdvice, encoderAdvice, graphicsFinding, listGraphicsDevices } from './graphics-devices.js';
import { programVersion } from './program-version.js';

type Check = (config: Config) => Promise<Finding[]>;

/** A minute of video with its segments and downloaded media needs much less. */
const minFreeBytes = 2e9;

const checkNode: Check = async () => {
  const major = Number(process.versions.node.split('.')[0]);
  const detail = `${process.versions.node} (${process.platform} ${process.arch})`;
  return [{ topic: 'host', name: 'Node 20 or newer', ok: major >= 20, detail, essential: true }];
};

/** Asks a sandboxed engine process, which sees the same devices and libraries as the processes that render. */
const checkEngine: Check = async (config) => {
  try {
    const capabilities = await withLocalEngine(config, [], async (engine) => engine.capabilities());
    const { engineVersion, simd, libraries, encoders, compositors, interops, decoders, decodeInterops } = capabilities;
    const devices = await listGraphicsDevices();
    const hasEncoder = encoders.some((encoder) => encoder.available);
    return [
      { topic: 'engine', name: 'engine', ok: true, detail: `${engineVersion}, SIMD ${simd}`, essential: true },
      ...Object.entries(libraries).map(([name, version]) => ({ topic: 'engine', name, ok: true, detail: version, essential: false })),
      await graphicsFinding(config.engine, capabilities, devices),
      ...compositors.map(({ name, available, reason }) => {
        const detail = available ? reason : withAdvice(reason, compositorAdvice(reason, devices));
        return { topic: 'compositor', name, ok: available, detail, essential: name === 'cpu' };
      }),
      ...encoders.map((encoder) => {
        const ignored = encoder.ignoredOptions.length > 0 ? `ignores the options ${encoder.ignoredOptions.join(', ')}` : '';
        const detail = encoder.available ? ignored : withAdvice(encoder.reason, encoderAdvice(encoder, devices));
        return { topic: 'encoder', name: encoder.name, ok: encoder.available, detail, essential: !hasEncoder };
      }),
      ...interops.map(({ name, available, reason }) => ({
        topic: 'encoder',
        name: `frames that stay on the card (${name})`,
        ok: available,
        detail: reason,
        essential: false,
      })),
      ...decoderFindings(config.engine.hardwareDecode, decoders),
      ...decodeInterops.map(({ name, available, reason }) => ({
        topic: 'decoder',
        name: `decoded frames stay on the card (${name})`,
        ok: available,
        detail: reason,
        essential: false,
      })),
      ...requiredEncoderFindings(config.engine.encoder, encoders),
    ];
  } catch (error) {
    const reason = error instanceof AppError ? (error.detail ?? error.message) : String(error);
    return [{ topic: 'engine', name: 'engine', ok: false, detail: reason, essential: true }];
  }
};

const withAdvice = (reason: string, advice: string): string => (advice === '' ? reason : `${reason}; ${advice}`);

function decoderFindings(mode: Config['engine']['hardwareDecode'], decoders: Capabilities['decoders']): Finding[] {
  const common = { topic: 'decoder', essential: false };
  if (decoders.length === 0) {
    const detail = 'clips are decoded by the CPU: there is neither /dev/nvidia0 nor a render node in /dev/dri (in a container, pass the devices through)';
    return [{ ...common, name: 'hardware decoding', ok: false, detail }];
  }
  return decoders.map(({ name, codec, available, reason }) => {
    const usage = mode === 'on' ? 'used wherever possible' : mode === 'off' ? 'switched off by FRAMEWRIGHT_HARDWARE_DECODE' : 'used where it is clearly faster';
    const detail = available ? `probe passed; ${usage}` : withAdvice(reason, decoderAdvice(reason));
    return { ...common, name: `hardware decoding of ${codec} (${name})`, ok: available && mode !== 'off', detail };
  });
}

/** Whether an encoder that FRAMEWRIGHT_ENCODER requires opens. */
function requiredEncoderFindings(wanted: Config['engine']['encoder'], encoders: readonly EncoderProbeResult[]): Finding[] {
  const names: readonly string[] = requiredEncoders(wanted);
  if (names.length === 0) return [];
  const required = encoders.filter(({ name }) => names.includes(name));
  const opened = required.filter(({ available }) => available).map(({ name }) => name);
  const detail = opened.length > 0 ? opened.join(', ') : unavailableMessage(wanted, required);
  return [{ topic: 'encoder', name: `FRAMEWRIGHT_ENCODER=${wanted}`, ok: opened.length > 0, detail, essential: true }];
}

const voiceAdvice = (packages: string): string => `not on PATH (apt: ${packages}); speaks local voices`;

const programs = [
  {
    topic: 'program',
    name: 'ffmpeg',
    versionFlag: '-version',
    advice: 'not on PATH (apt: ffmpeg); draws the clip of the demo and checks outputs in tests, renders do not need it',
  },
  { topic: 'voice', name: 'festival', versionFlag: '--version', advice: voiceAdvice('festival festvox-us-slt-hts') },
  { topic: 'voice', name: 'flite', versionFlag: '--version', advice: voiceAdvice('flite') },
  { topic: 'voice', name: 'espeak-ng', versionFlag: '--version', advice: voiceAdvice('espeak-ng') },
];

const checkPrograms: Check = () =>
  Promise.all(
    programs.map(async ({ topic, name, versionFlag, advice }) => {
      const version = await programVersion(name, [versionFlag]);
      return { topic, name, ok: version !== undefined, detail: version ?? advice, essential: false };
    }),
  );

const checkBrowser: Check = async ({ html: { chromium } }) => {
  const version = chromium === undefined ? undefined : await programVersion(chromium, ['--version']);
  const common = { topic: 'browser', name: 'chromium', essential: false };
  if (chromium === undefined || version === undefined) {
    const detail = 'HTML elements fail: Chromium’s headless shell is neither on PATH (apt: chromium-headless-shell) nor at the path in FRAMEWRIGHT_CHROMIUM';
    return [{ ...common, ok: false, detail }];
  }
  const ok = isSandboxed();
  const detail = ok ? 'on' : 'off, because it does not work for root; render as another user if HTML elements come from untrusted users';
  return [
    { ...common, ok: true, detail: `${version}, ${chromium}` },
    { ...common, name: 'sandbox of chromium', ok, detail },
  ];
};

const systemFonts = [
  { name: 'Noto, for most scripts', pattern: /NotoSans.*\.ttf$/, advice: 'text in scripts that the bundled fonts lack shows boxes (apt: fonts-noto-core)' },
  { name: 'Noto Emoji', pattern: /NotoColorEmoji\.ttf$/, advice: 'emoji are left out (apt: fonts-noto-color-emoji)' },
  { name: 'Noto CJK', pattern: /NotoSansCJK.*\.(ttc|otf)$/, advice: 'Chinese, Japanese and Korean text is left out (apt: fonts-noto-cjk)' },
];

const checkFonts: Check = async () => {
  const folders = ['/usr/share/fonts', '/usr/local/share/fonts', '/Library/Fonts'];
  const files = (await Promise.all(folders.map((folder) => readdir(folder, { recursive: true }).catch(() => [])))).flat();
  return systemFonts.map(({ name, pattern, advice }) => {
    const count = files.filter((file) => pattern.test(file)).length;
    return { topic: 'font', name, ok: count > 0, detail: count > 0 ? `${count} files` : advice, essential: false };
  });
};

const checkData: Check = async ({ storage: { dataDir } }) => {
  const name = 'data folder is writable';
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
      ok: freeBytes >= minFreeBytes,
      detail: `${(freeBytes / 1e9).toFixed(1)} GB (2 GB or more recommended)`,
      essential: false,
    },
  ];
};

const checkSpeechToText: Check = async ({ speechToText }) => {
  const { available, detail } = describeRecogniser(speechToText);
  return [{ topic: 'speech to text', name: 'recogniser', ok: available, detail, essential: false }];
};

const checkEngineSandbox: Check = async ({ sandbox: { mode, limits, fontSanitizer } }) => {
  const isOff = mode === 'off';
  const layers = (await checkSandbox()).map(({ layer, purpose, on, detail }) => ({
    topic: 'sandbox',
    name: purpose,
    ok: on && !isOff,
    detail: isOff ? 'switched off by FRAMEWRIGHT_SANDBOX' : [layer, detail].filter((part) => part !== '').join(', '),
    essential: mode === 'required' && layer !== 'network',
  }));
  const { memoryMb, cpuSeconds, fileMb } = limits;
  const others = isOff ? 'CPU time and file size are not limited without the sandbox' : `${cpuSeconds / 60} minutes of CPU time, files of ${fileMb} MB`;
  const missingSanitizer = `ots-sanitize is not on PATH (apt: opentype-sanitizer): ${
    mode === 'required' ? 'fonts by URL are rejected' : 'only the tables of fonts by URL are checked'
  }`;
  return [
    ...layers,
    { topic: 'sandbox', name: 'limits of a render', ok: !isOff, detail: `${memoryMb} MB of memory, ${others}`, essential: false },
    { topic: 'sandbox', name: 'font sanitizer', ok: fontSanitizer !== undefined, detail: fontSanitizer ?? missingSanitizer, essential: false },
  ];
};

const checks: Check[] = [checkNode, checkData, checkEngine, checkEngineSandbox, checkFonts, checkBrowser, checkPrograms, checkSpeechToText];

/** Checks everything that renders may need on this host. */
export async function examineHost(config: Config): Promise<Finding[]> {
  return (await Promise.all(checks.map((check) => check(config)))).flat();
}
