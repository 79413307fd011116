import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ffmpeg } from './ffmpeg.js';

/** A file outside the folder that hostile files refer to. */
export interface Bait {
  path: string;
}

const box = (type: string, ...parts: Array<Buffer | string>): Buffer => {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  const header = Buffer.alloc(8);
  header.writeUInt32BE(body.length + 8, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
};

const parents = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf']);

/** Replaces each box of a type in an MP4 whose moov box is last. */
function replaceBox(file: Buffer, type: string, make: () => Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at + 8 <= file.length; ) {
    const size = file.readUInt32BE(at) || file.length - at;
    const found = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + size);
    if (found === type) parts.push(make());
    else parts.push(parents.has(found) ? box(found, replaceBox(body, type, make)) : file.subarray(at, at + size));
    at += size;
  }
  return Buffer.concat(parts);
}

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const zero = number(0);

/** Data references to a URL or a Macintosh alias instead of the file itself. */
const urlReference = (url: string): Buffer => box('dref', zero, number(1), box('url ', zero, url, '\0'));
function aliasReference(path: string): Buffer {
  const fixed = Buffer.alloc(150 - 8);
  const text = Buffer.from(path);
  // Type 18 is the POSIX path, 2 the classic absolute path; a negative type ends the list.
  const item = (type: number): Buffer => Buffer.concat([Buffer.from([0, type, text.length >> 8, text.length & 255]), text, Buffer.alloc(text.length & 1)]);
  return box('dref', zero, number(1), box('alis', zero, fixed, item(2), item(18), Buffer.from([255, 255, 0, 0])));
}

/** An ID3v2.3 tag whose attached image is a link. */
function id3TagWithLinkedImage(url: string): Buffer {
  const body = Buffer.concat([Buffer.from([0]), Buffer.from('-->\0', 'latin1'), Buffer.from([3, 0]), Buffer.from(url)]);
  const frame = Buffer.concat([Buffer.from('APIC'), number(body.length), Buffer.alloc(2), body]);
  const size = frame.length;
  const tag = Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, (size >> 21) & 127, (size >> 14) & 127, (size >> 7) & 127, size & 127]);
  return Buffer.concat([tag, frame]);
}

const texts = (bait: string): Record<string, string> => ({
  'playlist.mp4': `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://${bait}\n#EXT-X-ENDLIST\n`,
  'master.mp4': `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${bait}\n`,
  'key.m3u8': `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="file://${bait}"\n#EXTINF:10,\nconcat:${bait}|${bait}\n#EXT-X-ENDLIST\n`,
  'plain.m3u': `#EXTM3U\n${bait}\n`,
  'list.pls': `[playlist]\nFile1=file://${bait}\nNumberOfEntries=1\n`,
  'list.xspf': `<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><location>file://${bait}</location></track></trackList></playlist>`,
  'concat.mp4': `ffconcat version 1.0\nfile '${bait}'\n`,
  'metadata.mp4': `;FFMETADATA1\ntitle=x\n`,
  'dash.mp4': `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>file://${bait}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  'session.sdp': 'v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=video 5004 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n',
  'subtitles.idx': '# VobSub index file, v7 (do not modify this line!)\nsize: 720x576\nid: en, index: 0\ntimestamp: 00:00:01:000, filepos: 000000000\n',
  'subtitles.srt': '1\n00:00:00,000 --> 00:00:05,000\n{\\an8}hello\n',
  'subtitles.vtt': 'WEBVTT\n\n00:00.000 --> 00:05.000\nhello\n',
  'subtitles.ass': '[Script Info]\nScriptType: v4.00+\n[Fonts]\nfontname: x.ttf\n[Events]\nDialogue: 0,0:00:00.00,0:00:05.00,Default,,0,0,0,,x\n',
  'picture.svg': `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64"><image xlink:href="file://${bait}" width="64" height="64"/></svg>`,
  'declared.svg': `<?xml version="1.0"?>\n<!DOCTYPE svg [<!ENTITY x SYSTEM "file://${bait}">]>\n<svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>`,
  'paper.pdf': '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  'page.eps': '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n',
  'delegate.mvg': `push graphic-context\nviewbox 0 0 64 64\nimage over 0,0 0,0 'msl:${bait}'\npop graphic-context\n`,
  'archive.avs': `AviSource("${bait}")\n`,
  'script.imf': `<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2013"><Id>urn:uuid:0</Id></CompositionPlaylist>`,
});

/** Writes files that try to make their reader open another file and returns their names. */
export async function writeHostileMedia(folder: string, { path: bait }: Bait): Promise<string[]> {
  const at = (name: string): string => join(folder, name);
  const names = Object.entries(texts(bait));
  for (const [name, text] of names) await writeFile(at(name), text);
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=10:d=1', '-c:v', 'libx264', at('whole.mp4'));
  const whole = readFileSync(at('whole.mp4'));
  const binary: Record<string, Buffer> = {
    'url.mov': replaceBox(whole, 'dref', () => urlReference(`file://${bait}`)),
    'path.mov': replaceBox(whole, 'dref', () => urlReference(bait)),
    'alias.mov': replaceBox(whole, 'dref', () => aliasReference(bait)),
    'reference.mov': Buffer.concat([
      box('ftyp', 'qt  ', zero, 'qt  '),
      box('moov', box('rmra', box('rmda', box('rdrf', zero, 'url ', number(bait.length + 8), `file://${bait}\0`)))),
    ]),
    'windows.asx': Buffer.from(`<asx version="3.0"><entry><ref href="file://${bait}"/></entry></asx>`),
    'wide.bmp': Buffer.concat([Buffer.from('BM'), Buffer.alloc(100)]),
    'phone.heif': box('ftyp', 'mif1', zero, 'mif1'),
  };
  for (const [name, bytes] of Object.entries(binary)) await writeFile(at(name), bytes);
  await ffmpeg('-i', at('whole.mp4'), '-attach', bait, '-metadata:s:t', 'mimetype=application/x-truetype-font', '-c', 'copy', at('attached.mkv'));
  await ffmpeg('-f', 'lavfi', '-i', 'sine=d=1', '-id3v2_version', '0', at('plain.mp3'));
  await writeFile(at('linked.mp3'), Buffer.concat([id3TagWithLinkedImage(`file://${bait}`), readFileSync(at('plain.mp3'))]));
  return [...names.map(([name]) => name), ...Object.keys(binary), 'whole.mp4', 'attached.mkv', 'linked.mp3'];
}
