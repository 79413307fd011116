/** progress 0..1 over the whole job; stage as in the contract; frames that the film has by now, where they are counted. */
export type ProgressListener = (progress: number, stage: string, frames?: number) => void;

export interface Progress {
  /** Names what happens from now on. */
  stage(name: string): void;
  /** A reporter (0..1) for the part of the job between two marks. */
  within(from: number, to: number): (part: number) => void;
  /** So many frames are there; told with the next report. */
  frames(count: number): void;
  finish(): void;
}

/** Turns the steps' own measures into one progress that never falls. */
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

/** The sound's share of what the two make together. */
const AUDIO_SHARE = 0.03;

/** The reporters of a picture and a sound that are made side by side, from `from` to `to` of the job; `done` is a part of either. */
export function createVideoAudioProgress(progress: Progress, { from, to, frames, hasSound }: { from: number; to: number; frames: number; hasSound: boolean }) {
  const share = hasSound ? AUDIO_SHARE : 0;
  const report = progress.within(from, to);
  let pictureDone = 0;
  let soundDone = 0;
  const reportBoth = (): void => report(pictureDone * (1 - share) + soundDone * share);
  return {
    onVideo(stage: string, done: number): void {
      pictureDone = done;
      progress.frames(Math.round(done * frames));
      progress.stage(stage);
      reportBoth();
    },
    onAudio(done: number): void {
      soundDone = done;
      reportBoth();
    },
  };
}
