import { sandboxLauncher } from '../../../engine/child-processes/index.js';

/** Flags that disable all network access: host names do not resolve and all addresses use a proxy that does not exist. */
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

/** Flags that draw frames only on demand, each one complete. */
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

/** Whether Chromium's sandbox is used; it does not work as root. */
export function isSandboxed(): boolean {
  return process.getuid?.() !== 0;
}

/** Launcher arguments: kill the process group when this process dies, remove the network if the host allows it, limit the memory of each process. */
const supervised = (memoryMb: number): string[] => ['--supervise', '--no-network', '--memory-mb', String(memoryMb), '--'];

/** Settings of one browser. */
export interface ChromiumSettings {
  /** Empty folder for the browser's profile. */
  profile: string;
  /** Memory limit of each process; a page has one process per origin. */
  memoryMb: number;
}

interface ChromiumCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** The command that starts Chromium. It is controlled through pipes and exits when they close, e.g. when this process dies. */
export function chromiumCommand(program: string, { profile, memoryMb }: ChromiumSettings): ChromiumCommand {
  const launcher = sandboxLauncher();
  const flags = [...plain, ...framesOnDemand, ...offline, ...(isSandboxed() ? [] : ['--no-sandbox']), '--remote-debugging-pipe'];
  return {
    command: launcher ?? program,
    args: [...(launcher === undefined ? [] : [...supervised(memoryMb), program]), ...flags, `--user-data-dir=${profile}`, 'about:blank'],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: profile, TMPDIR: profile, LANG: 'C.UTF-8', TZ: 'UTC' },
  };
}
