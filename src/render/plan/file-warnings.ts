import type { Problem } from '../../errors/index.js';
import type { Element, Movie } from '../../script/index.js';
import type { MediaFile } from '../../timeline/index.js';
import { allElements } from '../elements.js';

/** Warns of files that do not look or sound like in a player, by element path: high dynamic range, and content that is not rendered. */
export function findFileWarnings(movie: Movie, media: ReadonlyMap<string, MediaFile>): Problem[] {
  return allElements(movie).flatMap((element) => {
    const { path } = element;
    const file = media.get(path);
    return file === undefined ? [] : messagesFor(element, file).map((message) => ({ path, message }));
  });
}

function messagesFor(element: Element, { hdr, omitted = [], lottieLimits = [], durationSeconds }: MediaFile): string[] {
  const isVideo = element.type === 'video';
  const isAudible = (element.type === 'video' || element.type === 'audio') && !element.muted && element.volume !== 0;
  return [
    ...(hdr === undefined
      ? []
      : [`the file is HDR (${hdr.toUpperCase()}) and is shown as SDR: its brightness is tone-mapped and its colours are mapped to BT.709`]),
    ...lottieLimits.map((limit) => `of the Lottie animation, ${limit}`),
    ...omitted
      .filter((content) => content === 'animation' || isAudible || (content === 'end' && isVideo))
      .map((content) => (content === 'end' ? endsEarly(durationSeconds, isVideo) : omissions[content])),
  ];
}

const endsEarly = (seconds: number, isVideo: boolean): string =>
  `the file is incomplete: it stops within its data after ${Number(seconds.toFixed(2))} s, which counts as its length; ` +
  (isVideo ? 'its last frame is held beyond that' : 'it is silent beyond that');

const omissions = {
  animation: 'the file is an animated AVIF image, of which the first image is shown; animated WebP, GIF and APNG play',
  audio: 'the audio of the file cannot be decoded, so the video is silent',
  'audio-tracks': 'the file has several audio tracks, of which only the default one is played',
} as const;
