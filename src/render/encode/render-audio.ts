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

/** Encoded audio, and what is missing of it. */
interface EncodedAudio {
  path: string;
  warnings: string[];
}

/** Encodes a movie's audio, or takes it from the segment cache; returns the path of the packets. */
export async function renderAudio(sound: Timeline, { workDir, profile, reuse, mayReuse, ...call }: MovieAudioCall): Promise<EncodedAudio> {
  const path = join(workDir, `audio-${sound.encode.audioBitrate}.nut`);
  const cut = { timeline: sound, range: { first: 0, end: sound.canvas.frames } };
  const warnings = new Set<string>();
  await reuse.fetchOrRender(cut, { part: 'sound', path, mayReuse }, async () => {
    for (const warning of audioWarnings(await timed(profile, 'sound', () => encodeAudio(sound, path, call)))) warnings.add(warning);
    // Packets from the cache come without warnings.
    return warnings.size === 0;
  });
  call.onProgress(1);
  return { path, warnings: [...warnings] };
}

/** Mixes a movie's audio to a lossless file, from which the sound of several outputs is encoded. */
export async function renderMix(
  sound: Timeline,
  { workDir, profile, ...call }: AudioCall & { workDir: string; profile?: RenderProfile },
): Promise<EncodedAudio> {
  const path = join(workDir, 'mix.wav');
  const mixed = await timed(profile, 'sound', () => encodeAudio(sound, path, call));
  call.onProgress(1);
  return { path, warnings: audioWarnings(mixed) };
}

/** Shorter gaps are not worth a warning. */
const SHORTEST_FAULT_SECONDS = 0.1;

/** Warnings about damaged audio, one per clip. */
export function audioWarnings({ faults }: Pick<AudioResult, 'faults'>): string[] {
  const warn = ({ label, lostSeconds }: AudioResult['faults'][number]): string =>
    `${label}: the file is damaged; ${Number(lostSeconds.toFixed(2))} s of its audio cannot be decoded and are silent.`;
  return faults.filter(({ lostSeconds }) => lostSeconds >= SHORTEST_FAULT_SECONDS).map(warn);
}

/** Encodes the audio of a timeline to `path`. */
export function encodeAudio(sound: Timeline, path: string, { parts, signal, onProgress }: AudioCall): Promise<AudioResult> {
  const { frames, fps } = sound.canvas;
  const samples = Math.max(1, (frames * fps.den * 48_000) / fps.num);
  return parts.engine.renderAudio(Buffer.from(JSON.stringify(sound)), path, { signal, onProgress: (done) => onProgress(done / samples) });
}
