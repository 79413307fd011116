import { join } from 'node:path';
import type { AudioResult } from '../../engine/index.js';
import type { Timeline } from '../../timeline/index.js';
import type { RenderContext } from '../render-context.js';
import { type RenderProfile, timed } from '../render-profile.js';
import type { SegmentCache } from './segment-cache.js';

interface AudioCall {
  parts: Pick<RenderContext, 'engine'>;
  signal: AbortSignal;
  /** Called with the finished part of the audio, 0..1. */
  onProgress: (done: number) => void;
}

interface MovieAudioCall extends AudioCall {
  workDir: string;
  profile?: RenderProfile;
  reuse: SegmentCache;
  mayReuse: boolean;
}

/** Encodes a movie's audio, or takes it from the segment cache; returns the path of the packets. */
export async function renderAudio(sound: Timeline, { workDir, profile, reuse, mayReuse, ...call }: MovieAudioCall): Promise<string> {
  const path = join(workDir, 'audio.nut');
  const cut = { timeline: sound, range: { first: 0, end: sound.canvas.frames } };
  await reuse.fetchOrRender(cut, { part: 'sound', path, mayReuse }, () => timed(profile, 'sound', () => encodeAudio(sound, path, call)));
  call.onProgress(1);
  return path;
}

/** Encodes the audio of a timeline to `path`. */
export function encodeAudio(sound: Timeline, path: string, { parts, signal, onProgress }: AudioCall): Promise<AudioResult> {
  const { frames, fps } = sound.canvas;
  const samples = Math.max(1, (frames * fps.den * 48_000) / fps.num);
  return parts.engine.renderAudio(Buffer.from(JSON.stringify(sound)), path, { signal, onProgress: (done) => onProgress(done / samples) });
}
