import type { Output } from '../../../script/index.js';
import type { DescribedTrack, StreamDescription } from './stream-description.js';
import { offsetFrames } from './stream-tracks.js';

/** Byte ranges in fragmented MP4 files need protocol version 7. */
const HEAD = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS'];
const AUDIO_GROUP = 'audio';
const CAPTIONS_GROUP = 'captions';

/** The multivariant playlist of a stream (RFC 8216; `VIDEO-RANGE` of its second edition). `playlistOf` names the media playlist of a track. */
export function multivariantPlaylist({ fps, hdr, video, audio, captions }: StreamDescription, playlistOf: (label: string) => string): string {
  const lines = [...HEAD];
  if (audio !== undefined) {
    const { channels } = audio;
    lines.push(`#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="${AUDIO_GROUP}",NAME="Audio",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="${channels}",URI="${playlistOf('audio')}"`);
  }
  for (const { label, title, language } of captions) {
    const named = `NAME="${title}"${language === undefined ? '' : `,LANGUAGE="${language}"`}`;
    // The video may show the captions, so no player turns them on by itself.
    lines.push(`#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="${CAPTIONS_GROUP}",${named},DEFAULT=NO,AUTOSELECT=NO,FORCED=NO,URI="${playlistOf(label)}"`);
  }
  for (const track of video) {
    const codecs = [track.codec, ...(audio === undefined ? [] : [audio.codec])].join(',');
    const attributes = [
      `BANDWIDTH=${track.peakBitrate + (audio?.peakBitrate ?? 0)}`,
      `AVERAGE-BANDWIDTH=${track.averageBitrate + (audio?.averageBitrate ?? 0)}`,
      `RESOLUTION=${track.size?.width}x${track.size?.height}`,
      `FRAME-RATE=${(fps.num / fps.den).toFixed(3)}`,
      `CODECS="${codecs}"`,
      ...(hdr === undefined ? [] : [`VIDEO-RANGE=${hdr.toUpperCase()}`]),
      ...(audio === undefined ? [] : [`AUDIO="${AUDIO_GROUP}"`]),
      ...(captions.length === 0 ? [] : [`SUBTITLES="${CAPTIONS_GROUP}"`]),
      'CLOSED-CAPTIONS=NONE',
    ];
    lines.push(`#EXT-X-STREAM-INF:${attributes.join(',')}`, playlistOf(track.label));
  }
  return `${lines.join('\n')}\n`;
}

/** The media playlist of a track, whose segments are byte ranges of one file. */
export function mediaPlaylist({ name, header, segments }: DescribedTrack): string {
  const longest = Math.max(...segments.map(({ durationSeconds }) => durationSeconds));
  return playlist(longest, [
    `#EXT-X-MAP:URI="${name}",BYTERANGE="${header.size}@${header.offset}"`,
    ...segments.flatMap(({ offset, size, durationSeconds }) => [`#EXTINF:${durationSeconds.toFixed(6)},`, `#EXT-X-BYTERANGE:${size}@${offset}`, name]),
  ]);
}

/** The media playlist of captions that are one WebVTT file. */
export function captionsPlaylist(captions: string, { durationSeconds }: Pick<StreamDescription, 'durationSeconds'>): string {
  return playlist(durationSeconds, [`#EXTINF:${durationSeconds.toFixed(6)},`, captions]);
}

/** Says in a WebVTT file which timestamp of the tracks is its time 0 (RFC 8216, 3.5), in units of 1/90000 s. */
export function withTimestampMap(vtt: string, output: Pick<Output, 'fps'>): string {
  const ticks = Math.round((offsetFrames(output) * output.fps.den * 90_000) / output.fps.num);
  return vtt.replace('WEBVTT\n', `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:${ticks},LOCAL:00:00:00.000\n`);
}

function playlist(longestSeconds: number, lines: readonly string[]): string {
  const target = Math.max(1, Math.round(longestSeconds));
  return `${[...HEAD, `#EXT-X-TARGETDURATION:${target}`, '#EXT-X-MEDIA-SEQUENCE:0', '#EXT-X-PLAYLIST-TYPE:VOD', ...lines, '#EXT-X-ENDLIST'].join('\n')}\n`;
}
