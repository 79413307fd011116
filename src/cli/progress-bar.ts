import { painterFor } from './paint.js';

/** Draws one line that follows a job; on anything but a terminal, a plain line whenever the stage changes. */
export interface ProgressBar {
  /** Frames, where they are known, are those that are there by now. */
  update(progress: number, stage: string, frames?: number): void;
  /** Leaves the last state on its line. */
  stop(): void;
}

const WIDTH = 30;
/** Before that a rate is a guess. */
const settledMs = 1000;

export function createProgressBar(out: NodeJS.WriteStream = process.stderr, now: () => number = Date.now): ProgressBar {
  const paint = painterFor(out);
  const course = new Course(now);
  let lastStage = '';
  let drawn = false;
  return {
    update(progress, stage, frames = 0) {
      course.reached(progress, frames);
      if (!out.isTTY) {
        if (stage !== lastStage) out.write(`${percent(progress)} ${stageTitle(stage)}\n`);
        lastStage = stage;
        return;
      }
      const filled = Math.round(progress * WIDTH);
      const bar = paint('green', '█'.repeat(filled)) + paint('dim', '░'.repeat(WIDTH - filled));
      const line = `${percent(progress)} ${stageTitle(stage)}${course.rate()}${course.remaining()}`;
      const room = Math.max(20, (out.columns ?? 80) - WIDTH - 2);
      // A line that wraps would not be drawn over again.
      out.write(`\r\x1b[K${bar} ${line.length > room ? line.slice(0, room) : line}`);
      drawn = true;
    },
    stop() {
      if (drawn) out.write('\n');
      drawn = false;
    },
  };
}

/** How fast a job goes. What comes before its first frame tells nothing of the rest. */
class Course {
  readonly #now: () => number;
  #begun: { at: number; progress: number; frames: number } | undefined;
  #last = { at: 0, progress: 0, frames: 0 };

  constructor(now: () => number) {
    this.#now = now;
    this.#last.at = now();
  }

  reached(progress: number, frames: number): void {
    const before = this.#last;
    this.#last = { at: this.#now(), progress, frames };
    if (this.#begun === undefined && progress > 0) this.#begun = before.progress > 0 ? before : { ...this.#last, frames: 0 };
    if (this.#begun !== undefined && this.#begun.frames === 0 && before.frames === 0 && frames > 0) this.#begun = before;
  }

  rate(): string {
    const { elapsedMs, frames } = this.#since();
    return elapsedMs < settledMs || frames === 0 ? '' : ` · ${Math.round((frames / elapsedMs) * 1000)} frames/s`;
  }

  remaining(): string {
    const { elapsedMs, progress } = this.#since();
    const { progress: reached } = this.#last;
    if (elapsedMs < settledMs || progress <= 0.01 || reached >= 1) return '';
    return ` · ${duration(Math.ceil(((elapsedMs / progress) * (1 - reached)) / 1000))} left`;
  }

  #since(): { elapsedMs: number; progress: number; frames: number } {
    const from = this.#begun ?? this.#last;
    return { elapsedMs: this.#last.at - from.at, progress: this.#last.progress - from.progress, frames: this.#last.frames - from.frames };
  }
}

/** `rendering_scene_2` → `rendering scene 2`. */
export function stageTitle(stage: string): string {
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
