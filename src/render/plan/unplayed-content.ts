import type { Problem } from '../../errors/index.js';
import type { Element, Movie, ResolvedDurations, Span } from '../../script/index.js';
import type { MediaFile } from '../../timeline/index.js';

interface Container {
  /** Name in messages. */
  name: 'its scene' | 'the movie';
  frames: number;
  elements: readonly Element[];
  spans: readonly Span[];
}

/** Speech ends with silence: shorter cuts are not reported. */
const TOLERANCE_SECONDS = 0.25;

/**
 * Finds content of a script that the output lacks: elements that start after the end or seek beyond the end of their file, and truncated
 * voices. Usually a mistake, hence a warning.
 */
export function findUnplayedContent(movie: Movie, durations: ResolvedDurations, media: ReadonlyMap<string, MediaFile>): Problem[] {
  const fps = movie.fps.num / movie.fps.den;
  return containersOf(movie, durations).flatMap(({ name, frames, elements, spans }) =>
    elements.flatMap((element, index) => {
      const message = findProblem(element, {
        span: spans[index],
        fps,
        file: media.get(element.path),
        end: `${name} ends after ${formatSeconds(frames / fps)} s`,
      });
      return message === undefined ? [] : [{ path: element.path, message }];
    }),
  );
}

function containersOf(movie: Movie, durations: ResolvedDurations): Container[] {
  const scenes = movie.scenes.map(({ elements }, index): Container => {
    const { frames = 0, elements: spans = [] } = durations.scenes[index] ?? {};
    return { name: 'its scene', frames, elements, spans };
  });
  return [...scenes, { name: 'the movie', frames: durations.totalFrames, elements: movie.elements, spans: durations.elements }];
}

interface ElementTiming {
  span: Span | undefined;
  fps: number;
  file: MediaFile | undefined;
  end: string;
}

function findProblem(element: Element, { span, fps, file, end }: ElementTiming): string | undefined {
  const left = (span?.frames ?? 0) / fps;
  const total = file?.durationSeconds ?? 0;
  if (left === 0) return `${end}, before this element starts; it is not rendered`;
  if ((element.type === 'video' || element.type === 'audio') && total > 0 && element.seek >= total)
    return `seek skips ${formatSeconds(element.seek)} s of a file that lasts ${formatSeconds(total)} s; nothing of it is played`;
  if (element.type === 'voice' && element.duration === 'natural' && total - left > TOLERANCE_SECONDS)
    return `the voice lasts ${formatSeconds(total)} s, but ${end}: its last ${formatSeconds(total - left)} s are cut off`;
  const late = element.type === 'video' ? element.freeze?.find(({ time }) => time > left + 1 / fps) : undefined;
  if (late !== undefined) return `a freeze begins at ${formatSeconds(late.time)} s, but this element ends after ${formatSeconds(left)} s; nothing is held`;
  return undefined;
}

const formatSeconds = (seconds: number): string => String(Number(seconds.toFixed(2)));
