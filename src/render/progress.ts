/** Receives the progress of the whole job (0..1), the stage name of the API, and the number of frames done, if known. */
export type ProgressListener = (progress: number, stage: string, frames?: number) => void;

/** Progress of one job; never decreases. */
export interface Progress {
  /** Sets the stage that later reports name. */
  stage(name: string): void;
  /** Returns a reporter that maps 0..1 to a range of the job's progress. */
  within(from: number, to: number): (part: number) => void;
  /** Sets the number of frames done, which the next report contains. */
  frames(count: number): void;
  finish(): void;
}

/** Combines the progress of the steps into one that never decreases. */
export function createProgress(listener: ProgressListener): Progress {
  let stage = 'preparing';
  let progress = 0;
  let frames = 0;
  const report = (value: number): void => {
    progress = Math.max(progress, Math.min(1, value));
    listener(progress, stage, frames);
  };
  return {
    stage(name) {
      if (name === stage && progress > 0) return;
      stage = name;
      report(progress);
    },
    within: (from, to) => (part) => report(from + (to - from) * Math.min(1, Math.max(0, part))),
    frames(count) {
      frames = count;
    },
    finish() {
      stage = 'complete';
      report(1);
    },
  };
}

/** Share of the audio in the progress of video and audio. */
const AUDIO_SHARE = 0.03;

/** Reporters for video and audio that are encoded in parallel, from `from` to `to` of the job; `done` is 0..1 of either. */
export function createVideoAudioProgress(progress: Progress, { from, to, frames, hasSound }: { from: number; to: number; frames: number; hasSound: boolean }) {
  const share = hasSound ? AUDIO_SHARE : 0;
  const report = progress.within(from, to);
  let videoDone = 0;
  let audioDone = 0;
  const reportBoth = (): void => report(videoDone * (1 - share) + audioDone * share);
  return {
    onVideo(stage: string, done: number): void {
      videoDone = done;
      progress.frames(Math.round(done * frames));
      progress.stage(stage);
      reportBoth();
    },
    onAudio(done: number): void {
      audioDone = done;
      reportBoth();
    },
  };
}
