import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeExampleMedia } from '../../dist/cli/demo/example-media.js';

const run = promisify(execFile);

const types = { jpg: 'image/jpeg', png: 'image/png', mp4: 'video/mp4', mp3: 'audio/mpeg' };
const photographs = ['mountains-dawn.jpg', 'lake-dusk.jpg', 'mountains-night.jpg'];

/** The ffmpeg arguments of each type; `index` numbers the URLs of a script, so that their media differ. */
const makers = {
  jpg: (media, index) => [
    '-i',
    join(media, photographs[index % photographs.length]),
    '-vf',
    `hue=h=${Math.floor(index / photographs.length) * 40}`,
    '-q:v',
    '3',
  ],
  png: (media) => ['-i', join(media, 'logo.png')],
  mp4: (media, index) => ['-stream_loop', '1', '-i', join(media, 'aurora.mp4'), '-vf', `hue=h=${index * 50}`, '-t', '10', '-preset', 'veryfast', '-c:a', 'aac'],
  mp3: (media) => ['-i', join(media, 'music.wav'), '-t', '12', '-c:a', 'libmp3lame'],
};

/** A server on a free port with an image, video or sound for every path `/<number>.<jpg|png|mp4|mp3>`. */
export async function servePlaceholders(folder) {
  await mkdir(folder, { recursive: true });
  const media = await makeExampleMedia(folder);
  const making = new Map();
  const make = async (name) => {
    const [, index, extension] = /^(\d+)\.(jpg|png|mp4|mp3)$/.exec(name) ?? [];
    if (extension === undefined) return undefined;
    const path = join(folder, name);
    if (!existsSync(path)) await run('ffmpeg', ['-v', 'error', '-y', ...makers[extension](media, Number(index)), path]);
    return { bytes: await readFile(path), type: types[extension] };
  };
  const fileOf = (name) => {
    if (!making.has(name)) making.set(name, make(name));
    return making.get(name);
  };
  const server = createServer(async (request, response) => {
    const file = await fileOf((request.url ?? '').slice(1)).catch(() => undefined);
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': file.type, 'content-length': file.bytes.length }).end(file.bytes);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${server.address().port}`;
  const origin = `http://${host}`;
  // Encoding a video may take longer than the idle timeout of a download.
  const prepare = async (script) => {
    const names = [...JSON.stringify(script).matchAll(new RegExp(`${origin}/(\\d+\\.\\w+)`, 'g'))].map((match) => match[1]);
    for (const name of new Set(names)) await fileOf(name);
  };
  return { host, origin, prepare, close: () => server.close() };
}

/** Replaces every media URL of a script by one of the server; equal URLs stay equal. Missing variables get values. */
export function withPlaceholders(script, origin) {
  const known = new Map();
  const missing = {};
  const fallback = (url, kind) => {
    if (!known.has(url)) known.set(url, `${origin}/${known.size + 1}.${kind}`);
    return known.get(url);
  };
  const visit = (value, key, owner) => {
    if (Array.isArray(value)) return value.map((item) => visit(item, key, owner));
    if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, visit(part, name, value)]));
    if (typeof value !== 'string' || key === 'html') return value;
    const [, name] = /^\{\{\s*(\w+)\s*\}\}$/.exec(value) ?? [];
    if (name !== undefined && !/_(start|end|duration|extratime)$/.test(name) && script.variables === undefined && owner.iterate === undefined) {
      missing[name] = key === 'src' ? fallback(name, { video: 'mp4', audio: 'mp3' }[owner.type] ?? 'jpg') : `Words of ${name}`;
    }
    return value.replaceAll(/https?:\/\/[^\s"'()<>]+/g, (url) => {
      const kind = kindOf(url, key, owner);
      return kind === undefined ? url : fallback(url, kind);
    });
  };
  const visited = visit(script, '', {});
  return Object.keys(missing).length === 0 ? visited : { ...visited, variables: missing };
}

/** Media type by file extension, otherwise by the element that uses it. */
function kindOf(url, key, owner) {
  const ending = /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase();
  if (['mp4', 'mov', 'webm', 'm4v', 'mkv'].includes(ending)) return 'mp4';
  if (['mp3', 'wav', 'm4a', 'aac', 'ogg'].includes(ending)) return 'mp3';
  if (['png', 'svg', 'gif'].includes(ending)) return 'png';
  if (['jpg', 'jpeg', 'webp'].includes(ending)) return 'jpg';
  if (['ttf', 'otf', 'woff', 'woff2', 'srt', 'vtt', 'ass'].includes(ending)) return undefined;
  if (key === 'src' && owner.type === 'video') return 'mp4';
  if (key === 'src' && owner.type === 'audio') return 'mp3';
  return /image|src|photo|picture|logo|background|avatar/i.test(key) ? 'jpg' : undefined;
}
