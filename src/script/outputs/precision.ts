import type { Output, OutputCodec, OutputFormat } from '../movie.js';
import { fail } from '../validation/fail.js';
import type { Fields } from '../validation/fields.js';

/** How precisely layers are composed, and the colours of the file. */
export type Precision = Pick<Output, 'bitDepth' | 'hdr' | 'linear'>;

/** Codecs whose samples may have 10 bits. */
const deepCodecs: readonly (OutputCodec | undefined)[] = ['hevc', 'av1', 'vp9', 'prores-422', 'prores-4444'];
const hdrFormats: readonly OutputFormat[] = ['mp4', 'mov', 'webm', 'hls', 'dash'];

/** Reads `bit_depth`, `hdr` and `blend_space` of a movie, which apply to all outputs that can have them. */
export function parsePrecision(movie: Fields): Precision {
  const hdr = movie.optionalString('hdr') as Precision['hdr'];
  const isLinear = movie.optionalString('blend_space') === 'linear';
  if (hdr !== undefined && isLinear) fail(movie.pathOf('blend_space'), 'blend_space "linear" does not apply to HDR; leave hdr or blend_space out.');
  if (hdr !== undefined && movie.optionalNumber('bit_depth') === 8) fail(movie.pathOf('bit_depth'), 'HDR has 10 bits; leave bit_depth out.');
  const codec = movie.optionalString('codec');
  const isDeep = hdr !== undefined || movie.optionalNumber('bit_depth') === 10;
  if (isDeep && codec === 'h264') fail(movie.pathOf('codec'), '10 bits and HDR need the codec hevc (the default then) or av1, not h264.');
  return { ...(isDeep && { bitDepth: 10 }), ...(hdr !== undefined && { hdr }), ...(isLinear && { linear: true }) };
}

/** Reads them for an output; `movie`: those of the movie. */
export function parseOutputPrecision(fields: Fields, format: OutputFormat, codec: OutputCodec | undefined, movie: Precision): Precision {
  const given = fields.optionalNumber('bit_depth');
  const hdr = fields.optionalString('hdr') as Precision['hdr'];
  const hasAlpha = fields.flag('alpha');
  const canBeDeep = deepCodecs.includes(codec) && !(codec === 'vp9' && hasAlpha);
  const canBeHdr = canBeDeep && hdrFormats.includes(format) && !hasAlpha;
  if (given === 10 && !canBeDeep) {
    const refused = hasAlpha ? `${codec} with alpha` : codec;
    fail(fields.pathOf('bit_depth'), `bit_depth 10 applies to the codecs hevc, av1, ProRes and vp9 without alpha, not to ${refused}.`);
  }
  if (hdr !== undefined) {
    if (!canBeHdr) {
      const allowed = 'mp4, mov, webm, hls and dash without alpha, with hevc, av1, vp9 or ProRes';
      fail(fields.pathOf('hdr'), `hdr applies to ${allowed}, not to ${codec ?? format} in ${format}.`);
    }
    if (given === 8) fail(fields.pathOf('bit_depth'), 'HDR has 10 bits; leave bit_depth out.');
    if (movie.linear) fail(fields.pathOf('hdr'), 'blend_space "linear" of the movie does not apply to HDR; leave hdr or blend_space out.');
    return { bitDepth: 10, hdr };
  }
  if (given !== 8 && movie.hdr !== undefined && canBeHdr) return { bitDepth: 10, hdr: movie.hdr };
  const isDeep = given === 10 || (given === undefined && movie.bitDepth === 10 && canBeDeep);
  return { ...(isDeep && { bitDepth: 10 }), ...(movie.linear && { linear: true }) };
}
