/**
 * Runs in every document before its own scripts. Random numbers are the same in every run; direct connections are not
 * offered; and the page tells what could still make it move: timers, frame callbacks, animations. Text, not a function:
 * it belongs to another world, whose types this program does not have.
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

  // A window beside the page would only hold it up.
  page.open = () => null;
  // One that closes itself is looked at all the same.
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
  // What these do cannot be asked for.
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

export interface PageState {
  /** Callbacks that wait for the next frame. */
  frames: number;
  /** Something may still change the image. */
  moves: boolean;
  /** Where nothing but endless animations moves: after how many milliseconds each begins anew. */
  cycles: number[];
}

const stateName = 'framewrightPageState';

export const pageScript = script(stateName);

export const pageStateExpression = `globalThis.${stateName}?.() ?? { frames: 1, moves: true, cycles: [] }`;
