import { creditsForFrames, type Element, type Movie, type ResolvedDurations, type Span } from '../../script/index.js';
import type { PreviewElement, PreviewFacts, PreviewWarning } from '../preview-protocol.js';

const longestLabel = 60;

/** What a movie comes to; `warnings` are sentences behind the paths of elements. */
export function describeMovie(movie: Movie, durations: ResolvedDurations, warnings: readonly PreviewWarning[]): PreviewFacts {
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
    estimatedCredits: creditsForFrames(durations.totalFrames, movie),
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

/** Sentences as plans have them: the path of an element, a colon, and what there is to say. */
export function readWarning(sentence: string): PreviewWarning {
  const [, path = '', message = sentence] = /^((?:scenes\.\d+\.)?elements\.\d+(?:\.[^\s:]+)?): (.*)$/s.exec(sentence) ?? [];
  return { path, message };
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
      return element.type;
  }
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= longestLabel ? line : `${line.slice(0, longestLabel - 1)}…`;
}

/** What stands behind the question mark of an address may be a secret. */
function fileName(address: string): string {
  const path = address.replace(/[?#].*$/s, '');
  return shortened(path.slice(path.replace(/\/+$/, '').lastIndexOf('/') + 1) || path);
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
