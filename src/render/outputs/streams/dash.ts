import type { DescribedTrack, StreamDescription } from './stream-description.js';

const PROFILE = 'urn:mpeg:dash:profile:isoff-on-demand:2011';
const COLORS_SCHEME = 'urn:mpeg:mpegB:cicp:';
const CHANNELS_SCHEME = 'urn:mpeg:dash:23003:3:audio_channel_configuration:2011';
/** Bits per second that captions are said to need. */
const CAPTIONS_BITRATE = 1000;

/** The manifest of a stream (ISO/IEC 23009-1, on-demand profile): each track is one file with a segment index. */
export function dashManifest(stream: StreamDescription): string {
  const { durationSeconds, video, audio, captions } = stream;
  const longest = Math.max(...video.flatMap(({ segments }) => segments.map((segment) => segment.durationSeconds)));
  const duration = `PT${seconds(durationSeconds)}S`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="${PROFILE}" type="static" mediaPresentationDuration="${duration}" minBufferTime="PT${seconds(longest)}S">
  <Period id="0" duration="${duration}">
${videoSet(stream)}${audio === undefined ? '' : audioSet(stream, audio)}${captions.map(captionSet).join('')}  </Period>
</MPD>
`;
}

function videoSet(stream: StreamDescription): string {
  const { video, fps } = stream;
  const [largest] = video;
  const rate = fps.den === 1 ? `${fps.num}` : `${fps.num}/${fps.den}`;
  const size = largest?.size;
  return `    <AdaptationSet id="0" contentType="video" mimeType="video/mp4" subsegmentAlignment="true" subsegmentStartsWithSAP="1" frameRate="${rate}" maxWidth="${size?.width}" maxHeight="${size?.height}">
${stream.hdr === undefined ? '' : colorProperties(largest)}${video.map((track) => representation(stream, track, ` width="${track.size?.width}" height="${track.size?.height}" sar="1:1"`)).join('')}    </AdaptationSet>
`;
}

/**
 * The colours of HDR. Supplemental, because players that do not know these properties have to skip what is essential, and there is no other
 * set of videos.
 */
function colorProperties(track: DescribedTrack | undefined): string {
  if (track?.colors === undefined) return '';
  const { primaries, transfer, matrix } = track.colors;
  const properties = Object.entries({ ColourPrimaries: primaries, TransferCharacteristics: transfer, MatrixCoefficients: matrix });
  return properties.map(([name, value]) => `      <SupplementalProperty schemeIdUri="${COLORS_SCHEME}${name}" value="${value}"/>\n`).join('');
}

function audioSet(stream: StreamDescription, audio: DescribedTrack & { channels: number }): string {
  const configuration = `        <AudioChannelConfiguration schemeIdUri="${CHANNELS_SCHEME}" value="${audio.channels}"/>\n`;
  return `    <AdaptationSet id="1" contentType="audio" mimeType="audio/mp4" lang="und" subsegmentAlignment="true" subsegmentStartsWithSAP="1">
${representation(stream, audio, ' audioSamplingRate="48000"', configuration)}    </AdaptationSet>
`;
}

function captionSet({ label, name, title, language = 'und' }: StreamDescription['captions'][number], index: number): string {
  return `    <AdaptationSet id="${2 + index}" contentType="text" mimeType="text/vtt" lang="${language}">
      <Label>${title.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</Label>
      <Role schemeIdUri="urn:mpeg:dash:role:2011" value="subtitle"/>
      <Representation id="${label}" bandwidth="${CAPTIONS_BITRATE}">
        <BaseURL>${name}</BaseURL>
      </Representation>
    </AdaptationSet>
`;
}

function representation({ fps, offsetFrames }: StreamDescription, track: DescribedTrack, attributes: string, first = ''): string {
  const { label, name, codec, peakBitrate, header, index } = track;
  return `      <Representation id="${label}" bandwidth="${peakBitrate}" codecs="${codec}"${attributes}>
${first}        <BaseURL>${name}</BaseURL>
        <SegmentBase indexRange="${range(index)}" indexRangeExact="true" timescale="${fps.num}" presentationTimeOffset="${offsetFrames * fps.den}">
          <Initialization range="${range(header)}"/>
        </SegmentBase>
      </Representation>
`;
}

const range = ({ offset, size }: { offset: number; size: number }): string => `${offset}-${offset + size - 1}`;

const seconds = (value: number): string => value.toFixed(3).replace(/\.?0+$/, '');
