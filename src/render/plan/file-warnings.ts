import type { Problem } from '../../errors/index.js';
import { type Element, type Movie, type Output, outputFormats } from '../../script/index.js';
import type { MediaFile } from '../../timeline/index.js';
import { allElements } from '../elements.js';

/** Warns of files that do not look or sound like in a player, by element path: high dynamic range, and content that is not rendered. */
export function findFileWarnings(movie: Movie, media: ReadonlyMap<string, MediaFile>): Problem[] {
  const range = rangeOf(movie.outputs);
  return allElements(movie).flatMap((element) => {
    const { path } = element;
    const file = media.get(path);
    return file === undefined ? [] : messagesFor(element, file, range).map((message) => ({ path, message }));
  });
}

type DynamicRange = 'sdr' | 'hdr' | 'both';

/** Of the outputs that are seen. */
function rangeOf(outputs: readonly Output[]): DynamicRange {
  const seen = outputs.filter(({ format }) => outputFormats[format].kind !== 'audio' && outputFormats[format].kind !== 'captions');
  if (seen.every(({ hdr }) => hdr === undefined)) return 'sdr';
  return seen.every(({ hdr }) => hdr !== undefined) ? 'hdr' : 'both';
}

/** HDR outputs keep the light of videos and images. */
function hdrMessages(hdr: NonNullable<MediaFile['hdr']>, range: DynamicRange): string[] {
  if (range === 'hdr') return [];
  const where = range === 'both' ? ' in the outputs that are not HDR' : '';
  return [`the file is HDR (${hdr.toUpperCase()}) and is shown as SDR${where}: its brightness is tone-mapped and its colours are mapped to BT.709`];
}

function messagesFor(element: Element, { hdr, omitted = [], lottieLimits = [], durationSeconds }: MediaFile, range: DynamicRange): string[] {
  const isVideo = element.type === 'video';
  const isAudible = (element.type === 'video' || element.type === 'audio') && !element.muted && element.volume !== 0;
  return [
    ...(hdr === undefined ? [] : hdrMessages(hdr, range)),
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
