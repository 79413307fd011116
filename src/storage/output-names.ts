/**
 * `<job id>-<256 random bits>.<ext>`, and `<job id>-<256 random bits>-<output>.<ext>` for further outputs of a job; those of several files are
 * in a folder, `<job id>-<256 random bits>-<output>/<file>.<ext>`. The random bits are what allows a download, so they are the same for all
 * outputs of a job.
 */
const OUTPUT_NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9a-f]{64})(?:-[a-z0-9-]{1,40}(?:\/[a-z0-9-]{1,60})?)?\.([a-z0-9]{2,5})$/;

/** Media types by extension; APNG files are PNG files to every client. */
const mimeTypes: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  gif: 'image/gif',
  webp: 'image/webp',
  png: 'image/png',
  jpg: 'image/jpeg',
  avif: 'image/avif',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  srt: 'application/x-subrip',
  vtt: 'text/vtt',
  ass: 'text/x-ssa',
  m3u8: 'application/vnd.apple.mpegurl',
  mpd: 'application/dash+xml',
  zip: 'application/zip',
};

/** Extensions of finished files. */
export const outputExtensions = Object.keys(mimeTypes);

/** Whether this is the name of an output that the service makes. */
export function isOutputName(name: string): boolean {
  const extension = OUTPUT_NAME.exec(name)?.[2];
  return extension !== undefined && Object.hasOwn(mimeTypes, extension);
}

/** What the names of all outputs of one attempt at a job begin with; undefined for other names. */
export function outputStem(name: string): string | undefined {
  return OUTPUT_NAME.exec(name)?.[1];
}

/** An output's name as clients see it: the job id and the output, without the random bits, which are a secret. Other names stay as they are. */
export function publicName(name: string): string {
  const stem = outputStem(name);
  return stem === undefined ? name : `${name.slice(0, 36)}${name.slice(stem.length)}`;
}

/** The folder of an output of several files; undefined for an output that is one file. */
export function outputFolder(name: string): string | undefined {
  const slash = name.indexOf('/');
  return slash < 0 ? undefined : name.slice(0, slash);
}

/** Media type of an output by its name. */
export function mimeTypeOf(name: string): string {
  return mimeTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}
