import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpeg } from './ffmpeg.js';

export interface MediaServer {
  url: string;
  close(): Promise<void>;
}

/** Serves an image, a video with sound and an audio file. */
export async function startMediaServer(): Promise<MediaServer> {
  const folder = await mkdtemp(join(tmpdir(), 'framewright-media-'));
  const at = (name: string): string => join(folder, name);
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=320x180', '-frames:v', '1', at('photo.png'));
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=15:d=2', '-f', 'lavfi', '-i', 'sine=440:d=2', '-c:v', 'libx264', '-c:a', 'aac', at('clip.mp4'));
  await ffmpeg('-f', 'lavfi', '-i', 'sine=330:d=2', at('tone.mp3'));
  const files = new Map<string, Buffer>(
    await Promise.all(['photo.png', 'clip.mp4', 'tone.mp3'].map(async (name) => [`/${name}`, await readFile(at(name))] as const)),
  );
  const server = createServer((request, response) => {
    const file = files.get(new URL(request.url ?? '/', 'http://media').pathname);
    if (file === undefined) response.writeHead(404).end('no such file');
    else response.writeHead(200, { 'content-length': file.length }).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const scene = (seconds: number, ...elements: object[]): object => ({ duration: seconds, 'background-color': '#203040', elements });
const say = (text: string): object => ({ type: 'text', text, font_size: 30, color: '#ffffff', position: 'center' });

type Make = (number: number, media: string) => { scenes: object[] };

/** Each of a kind of its own; the number makes two of a kind differ. */
const kinds: Readonly<Record<string, Make>> = {
  text: (number) => ({ scenes: [scene(1, { ...say(`Number ${number}`), style: `00${1 + (number % 9)}` })] }),
  image: (number, media) => ({ scenes: [scene(1, { type: 'image', src: `${media}/photo.png?${number}`, resize: 'cover', zoom: 2 })] }),
  video: (number, media) => ({ scenes: [scene(1, { type: 'video', src: `${media}/clip.mp4?${number}`, resize: 'cover', loop: -1, duration: -2 })] }),
  html: (number) => ({ scenes: [scene(1, { type: 'html', html: `<h1 style="color:white">Page ${number}</h1>`, width: 320, height: 180 })] }),
  voice: (number) => ({ scenes: [scene(2, { type: 'voice', text: `This is number ${number}.` })] }),
  transition: (number) => ({
    scenes: [scene(1, say('one')), { ...scene(1, say(`two ${number}`)), transition: { style: 'wipeleft', duration: 0.4 } }],
  }),
  sound: (number, media) => ({ scenes: [scene(1, { type: 'audio', src: `${media}/tone.mp3?${number}`, volume: 0.5 })] }),
  subtitles: (number) => ({
    scenes: [scene(2, say('spoken'))],
    elements: [{ type: 'subtitles', captions: `1\n00:00:00,000 --> 00:00:01,500\nCaption ${number}\n` }],
  }),
  component: (number) => ({ scenes: [scene(2, { type: 'component', component: 'basic/001', settings: { headline: { text: `Part ${number}` } } })] }),
  missing: (number, media) => ({ scenes: [scene(1, { type: 'image', src: `${media}/missing-${number}.png` })] }),
  broken: (number, media) => ({ scenes: [scene(1, { type: 'video', src: `${media}/tone.mp3?broken-${number}` })] }),
};

export const movieKinds = Object.keys(kinds);
/** Those whose media cannot be had. */
export const failingKinds: ReadonlySet<string> = new Set(['missing', 'broken']);

export function mixedMovie(kind: string, number: number, media: string): object {
  const movie = kinds[kind]?.(number, media);
  if (movie === undefined) throw new Error(`there is no movie of the kind ${kind}`);
  return { width: 320, height: 180, fps: 15, quality: 'low', ...movie };
}
