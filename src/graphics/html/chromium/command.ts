import { sandboxLauncher } from '../../../engine/child-processes/index.js';

/** Nothing resolves, nothing listens behind the proxy, and no address goes past it: what the worker does not answer fails. */
const offline = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://nowhere.invalid:9',
  '--proxy-bypass-list=<-loopback>',
  '--dns-prefetch-disable',
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
];

/** Frames are drawn when they are asked for, each of them whole. */
const framesOnDemand = [
  '--enable-begin-frame-control',
  '--run-all-compositor-stages-before-draw',
  '--disable-new-content-rendering-timeout',
  '--disable-threaded-animation',
  '--disable-threaded-scrolling',
  '--disable-checker-imaging',
  '--disable-image-animation-resync',
];

const plain = [
  '--headless',
  '--disable-gpu',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-default-apps',
  '--deny-permission-prompts',
  '--disable-notifications',
  '--mute-audio',
  '--autoplay-policy=no-user-gesture-required',
  '--hide-scrollbars',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--lang=en-US',
];

/** Chromium's own sandbox cannot be set up by root. */
export function isSandboxed(): boolean {
  return process.getuid?.() !== 0;
}

/** Ends the browser's whole group with this process, leaves it without any network where the host allows that, and bounds each of its processes. */
const supervised = (memoryMb: number): string[] => ['--supervise', '--no-network', '--memory-mb', String(memoryMb), '--'];

export interface ChromiumSettings {
  /** An empty folder for what it writes. */
  profile: string;
  /** Of each of its processes; a page is one, or one for each origin that it shows. */
  memoryMb: number;
}

export interface ChromiumCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** How Chromium is started: spoken to through pipes, whose end is its own end too, however this process dies. */
export function chromiumCommand(program: string, { profile, memoryMb }: ChromiumSettings): ChromiumCommand {
  const launcher = sandboxLauncher();
  const flags = [...plain, ...framesOnDemand, ...offline, ...(isSandboxed() ? [] : ['--no-sandbox']), '--remote-debugging-pipe'];
  return {
    command: launcher ?? program,
    args: [...(launcher === undefined ? [] : [...supervised(memoryMb), program]), ...flags, `--user-data-dir=${profile}`, 'about:blank'],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: profile, TMPDIR: profile, LANG: 'C.UTF-8', TZ: 'UTC' },
  };
}
