import { join } from 'node:path';
import type { AudioFacts } from '../../engine/index.js';
import type { Timeline } from '../../timeline/index.js';
import type { RenderParts } from '../render-parts.js';
import { type RenderProfile, timed } from '../render-profile.js';
import type { Reuse } from './reuse.js';

interface SoundCall {
  parts: Pick<RenderParts, 'engine'>;
  signal: AbortSignal;
  /** `done`: a part of the whole sound. */
  onProgress: (done: number) => void;
}

interface MovieSoundCall extends SoundCall {
  workDir: string;
  profile?: RenderProfile;
  reuse: Reuse;
  mayReuse: boolean;
}

/** The cut of a movie's sound: encoded, or taken from an earlier render; the path of its packets. */
export async function renderSound(sound: Timeline, { workDir, profile, reuse, mayReuse, ...call }: MovieSoundCall): Promise<string> {
  const path = join(workDir, 'audio.nut');
  const cut = { timeline: sound, range: { first: 0, end: sound.canvas.frames } };
  await reuse.packets(cut, { part: 'sound', path, mayReuse }, () => timed(profile, 'sound', () => encodeSound(sound, path, call)));
  call.onProgress(1);
  return path;
}

export function encodeSound(sound: Timeline, path: string, { parts, signal, onProgress }: SoundCall): Promise<AudioFacts> {
  const { frames, fps } = sound.canvas;
  const samples = Math.max(1, (frames * fps.den * 48_000) / fps.num);
  return parts.engine.renderAudio(Buffer.from(JSON.stringify(sound)), path, { signal, onProgress: (done) => onProgress(done / samples) });
}
