/**
 * Script injected into every document before its own scripts. It makes random numbers deterministic, removes APIs for direct
 * connections, and tracks what may still change the page: timers, frame callbacks, animations. A string instead of a function,
 * because it runs in the browser.
 */
const script = (stateName: string): string => `(() => {
  const page = globalThis;
  let seed = 0x9e3779b9;
  const nextRandom = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  Math.random = nextRandom;
  Crypto.prototype.getRandomValues = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = nextRandom() * 256;
    return array;
  };
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete page[name];

  // Popups would block the page.
  page.open = () => null;
  // A page that closes itself is still drawn.
  page.close = () => {};

  const timers = new Set();
  const frames = new Set();
  let workers = 0;
  const { setTimeout, clearTimeout, setInterval, clearInterval, requestAnimationFrame, cancelAnimationFrame } = page;
  const callable = (handler) => (typeof handler === 'function' ? handler : () => (0, eval)(String(handler)));
  page.setTimeout = (handler, delay, ...args) => {
    const call = callable(handler);
    const id = setTimeout(() => {
      timers.delete(id);
      call.apply(page, args);
    }, delay);
    timers.add(id);
    return id;
  };
  page.setInterval = (handler, delay, ...args) => {
    const id = setInterval(callable(handler), delay, ...args);
    timers.add(id);
    return id;
  };
  const clearing = (clear) => (id) => {
    timers.delete(Number(id));
    clear(id);
  };
  page.clearTimeout = clearing(clearTimeout);
  page.clearInterval = clearing(clearInterval);
  page.requestAnimationFrame = (callback) => {
    const id = requestAnimationFrame((time) => {
      frames.delete(id);
      callback(time);
    });
    frames.add(id);
    return id;
  };
  page.cancelAnimationFrame = (id) => {
    frames.delete(Number(id));
    cancelAnimationFrame(id);
  };
  for (const name of ['Worker', 'SharedWorker']) {
    if (page[name] === undefined) continue;
    page[name] = new Proxy(page[name], {
      construct(target, args, newTarget) {
        workers += 1;
        return Reflect.construct(target, args, newTarget);
      },
    });
  }
  const isScripted = () => frames.size > 0 || timers.size > 0 || workers > 0;
  const running = () => document.getAnimations().filter(({ pending, playState }) => pending || playState === 'running');
  // Motion of these elements cannot be queried.
  const isOpaque = () => document.querySelector('animate,animateTransform,animateMotion,set,video,marquee,iframe,frame,embed,object') !== null;
  const cycles = () => {
    if (isScripted() || isOpaque()) return [];
    const lengths = running().map(({ effect, pending, currentTime, playbackRate }) => {
      const { iterations, delay, duration, direction } = effect.getComputedTiming();
      if (pending || iterations !== Infinity || currentTime < delay) return 0;
      return (duration * (direction.startsWith('alternate') ? 2 : 1)) / Math.abs(playbackRate);
    });
    return lengths.every((length) => length > 0 && Number.isFinite(length)) ? lengths : [];
  };
  Object.defineProperty(page, '${stateName}', {
    value: () => ({ frames: frames.size, moves: isScripted() || isOpaque() || running().length > 0, cycles: cycles() }),
  });
})()`;

/** Motion of a page, as reported by the injected script. */
export interface PageState {
  /** Number of pending requestAnimationFrame callbacks. */
  frames: number;
  /** Whether the page may still change. */
  moves: boolean;
  /** Periods in ms of all running animations if only endless animations move the page; otherwise empty. */
  cycles: number[];
}

const stateName = 'framewrightPageState';

/** Source of the injected script. */
export const pageScript = script(stateName);

/** JavaScript expression for the PageState. */
export const pageStateExpression = `globalThis.${stateName}?.() ?? { frames: 1, moves: true, cycles: [] }`;
