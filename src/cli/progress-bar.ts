import { painterFor } from './paint.js';

/** Progress on one line of a terminal; on other streams, a line for each new stage. */
export interface ProgressBar {
  /** `frames`: number of finished frames, if known. */
  update(progress: number, stage: string, frames?: number): void;
  /** Ends the line, leaving the last state visible. */
  stop(): void;
}

const WIDTH = 30;
/** Minimum time before a rate is shown. */
const MIN_RATE_MS = 1000;

export function createProgressBar(out: NodeJS.WriteStream = process.stderr, now: () => number = Date.now): ProgressBar {
  const paint = painterFor(out);
  const estimate = new Estimate(now);
  let lastStage = '';
  let drawn = false;
  return {
    update(progress, stage, frames = 0) {
      estimate.record(progress, frames);
      if (!out.isTTY) {
        if (stage !== lastStage) out.write(`${percent(progress)} ${stageTitle(stage)}\n`);
        lastStage = stage;
        return;
      }
      const filled = Math.round(progress * WIDTH);
      const bar = paint('green', '█'.repeat(filled)) + paint('dim', '░'.repeat(WIDTH - filled));
      const line = `${percent(progress)} ${stageTitle(stage)}${estimate.rate()}${estimate.remaining()}`;
      const room = Math.max(20, (out.columns ?? 80) - WIDTH - 2);
      // Cut to the width of the terminal: a wrapped line could not be overwritten.
      out.write(`\r\x1b[K${bar} ${line.length > room ? line.slice(0, room) : line}`);
      drawn = true;
    },
    stop() {
      if (drawn) out.write('\n');
      drawn = false;
    },
  };
}

/** Rate and remaining time of a job, measured from its first frame. */
class Estimate {
  readonly #now: () => number;
  #start: { at: number; progress: number; frames: number } | undefined;
  #last = { at: 0, progress: 0, frames: 0 };

  constructor(now: () => number) {
    this.#now = now;
    this.#last.at = now();
  }

  record(progress: number, frames: number): void {
    const before = this.#last;
    this.#last = { at: this.#now(), progress, frames };
    if (this.#start === undefined && progress > 0) this.#start = before.progress > 0 ? before : { ...this.#last, frames: 0 };
    if (this.#start !== undefined && this.#start.frames === 0 && before.frames === 0 && frames > 0) this.#start = before;
  }

  rate(): string {
    const { elapsedMs, frames } = this.#since();
    return elapsedMs < MIN_RATE_MS || frames === 0 ? '' : ` · ${Math.round((frames / elapsedMs) * 1000)} frames/s`;
  }

  remaining(): string {
    const { elapsedMs, progress } = this.#since();
    const { progress: done } = this.#last;
    if (elapsedMs < MIN_RATE_MS || progress <= 0.01 || done >= 1) return '';
    return ` · ${duration(Math.ceil(((elapsedMs / progress) * (1 - done)) / 1000))} left`;
  }

  #since(): { elapsedMs: number; progress: number; frames: number } {
    const from = this.#start ?? this.#last;
    return { elapsedMs: this.#last.at - from.at, progress: this.#last.progress - from.progress, frames: this.#last.frames - from.frames };
  }
}

/** `rendering_scene_2` → `rendering scene 2`. */
function stageTitle(stage: string): string {
  return stage.replaceAll('_', ' ');
}

function percent(progress: number): string {
  return `${String(Math.floor(progress * 100)).padStart(3)} %`;
}

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
