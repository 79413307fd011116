import type { PreviewElement } from '../../contract/index.js';
import type { Problem } from '../../errors/index.js';
import { creditsForMovie, type Element, type Movie, type ResolvedDurations, type Span } from '../../script/index.js';
import type { PreviewSummary } from '../preview-protocol.js';

const maxLabelLength = 60;

/** Timing and cost of a movie, with the warnings of its plan. */
export function summarizeMovie(movie: Movie, durations: ResolvedDurations, warnings: readonly Problem[]): PreviewSummary {
  const seconds = (frames: number): number => rounded((frames * movie.fps.den) / movie.fps.num);
  const list = (elements: readonly Element[], spans: readonly Span[] | undefined, from: number): PreviewElement[] =>
    elements.map((element, index) => {
      const span = spans?.[index];
      const { path, type, id } = element;
      const times = { start: seconds(from + (span?.startFrame ?? 0)), duration: seconds(span?.frames ?? 0) };
      return { path, type, ...(id !== undefined && { id }), label: labelOf(element), ...times };
    });
  const duration = seconds(durations.totalFrames);
  return {
    width: movie.width,
    height: movie.height,
    fps: rounded(movie.fps.num / movie.fps.den),
    duration,
    frames: durations.totalFrames,
    estimated_credits: creditsForMovie(durations.totalFrames, movie),
    scenes: movie.scenes.map((scene, index) => {
      const resolved = durations.scenes[index];
      const start = resolved?.startFrame ?? 0;
      return {
        path: scene.path,
        start: seconds(start),
        duration: seconds(resolved?.frames ?? 0),
        ...(scene.transition && index > 0 && { transition: { style: scene.transition.style, duration: scene.transition.duration } }),
        elements: list(scene.elements, resolved?.elements, start),
      };
    }),
    elements: list(movie.elements, durations.elements, 0),
    warnings: [...warnings],
  };
}

function labelOf(element: Element): string {
  switch (element.type) {
    case 'text':
    case 'voice':
      return shortened(element.text);
    case 'image':
    case 'video':
      return element.generation === undefined ? fileName(element.src) : shortened(element.generation.prompt);
    case 'audio':
      return fileName(element.src);
    case 'html':
      return element.src === undefined ? shortened((element.html ?? '').replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')) : fileName(element.src);
    case 'component':
      return element.component;
    case 'audiogram':
    case 'subtitles':
    case 'group':
      return element.type;
  }
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= maxLabelLength ? line : `${line.slice(0, maxLabelLength - 1)}…`;
}

/** The query of a URL may hold a secret, so it is left out. */
function fileName(address: string): string {
  const path = address.replace(/[?#].*$/s, '');
  return shortened(path.slice(path.replace(/\/+$/, '').lastIndexOf('/') + 1) || path);
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
