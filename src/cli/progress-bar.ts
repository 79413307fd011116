/** Draws one line that follows a job; on anything but a terminal, a plain line whenever the stage changes. */
export interface ProgressBar {
  update(progress: number, stage: string): void;
  /** Leaves the last state on its line. */
  stop(): void;
}

const WIDTH = 30;

export function createProgressBar(out: NodeJS.WriteStream = process.stderr, now: () => number = Date.now): ProgressBar {
  const startedAt = now();
  let lastStage = '';
  let drawn = false;
  return {
    update(progress, stage) {
      if (!out.isTTY) {
        if (stage !== lastStage) out.write(`${percent(progress)} ${stageTitle(stage)}\n`);
        lastStage = stage;
        return;
      }
      const filled = Math.round(progress * WIDTH);
      const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`;
      out.write(`\r\x1b[K${bar} ${percent(progress)} ${stageTitle(stage)}${remaining(progress, now() - startedAt)}`);
      drawn = true;
    },
    stop() {
      if (drawn) out.write('\n');
      drawn = false;
    },
  };
}

/** `rendering_scene_2` → `rendering scene 2`. */
export function stageTitle(stage: string): string {
  return stage.replaceAll('_', ' ');
}

function percent(progress: number): string {
  return `${String(Math.floor(progress * 100)).padStart(3)} %`;
}

function remaining(progress: number, elapsedMs: number): string {
  if (progress < 0.1 || progress >= 1 || elapsedMs < 2000) return '';
  return ` · ${Math.ceil(((elapsedMs / progress) * (1 - progress)) / 1000)} s left`;
}
