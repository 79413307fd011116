import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { movieSchema } from '../../src/script/index.js';
import { listSourceFiles, readSource } from './source-files.js';

interface Generator {
  scriptReference(schema: unknown): string;
}

interface Strips {
  strips: ReadonlyArray<{ of: string; tiles: ReadonlyArray<{ label: string }> }>;
  fileOf(strip: { of: string }): string;
}

const docs = new URL('../../docs/', import.meta.url);
const make = (name: string): string => new URL(`make/${name}`, docs).href;
const page = readFileSync(new URL('script.md', docs), 'utf8');

it('docs/script.md matches the movie schema (`npm run docs` regenerates it)', async () => {
  const { scriptReference } = (await import(make('script-reference.mjs'))) as Generator;
  expect(page).toBe(scriptReference(movieSchema));
});

// docs/packs.md shows themes.
const themes = 'theme theme.primary theme.accent theme.background theme.surface theme.text theme.font_heading theme.font_body theme.logo theme.corners';

/** Properties without a visible effect of their own: sound, storage, metadata, expressions, and objects whose properties have images. */
const unseen: Readonly<Record<string, string>> = {
  // The images of the reference are previews, which have 8 bits.
  Movie: `fps quality codec bit_depth hdr blend_space loudness motion_blur background scenes outputs elements webhook_uri exports draft cache project settings variables id comment client_data ${themes}`,
  Scene: 'elements cache variables condition iterate iterate_as import id comment client_data',
  Transition: 'id comment',
  // Another file each.
  Output:
    'name format codec width height fps quality crf bitrate alpha matte audio audio.codec audio.bitrate audio.channels range range.start range.duration time max_bytes bit_depth hdr fragmented lossless sequence ladder segment_duration interval',
  'Place and size': 'scale crop',
  Motion: 'rotate',
  // Times and distances, and of loops all but the type.
  Animation: 'animate duration delay distance by stagger direction amount',
  'Of each keyframe':
    'volume balance drop_shadow.color drop_shadow.blur drop_shadow.x drop_shadow.y glow.color glow.radius glow.intensity anchor.x anchor.y motion_blur lut lut.src lut.amount pitch equalizer equalizer.frequency equalizer.gain equalizer.q reverb reverb.wet',
  // A LUT is a file of another server.
  Pixels: 'chroma_key correction white_balance curves lut lut.src lut.amount vignette',
  Sound:
    'volume muted duck denoise balance pitch equalizer compressor compressor.threshold compressor.ratio compressor.attack compressor.release compressor.knee compressor.makeup reverb reverb.preset reverb.size reverb.decay reverb.wet reverb.pre_delay reverb.damping limiter limiter.ceiling limiter.gain',
  'In every part of a script': 'id comment client_data variables condition cache',
  // Made elsewhere: fonts and pages of another server, images of a provider.
  Text: 'font_url',
  Lottie: 'src',
  Image: 'prompt model aspect_ratio connection model_settings',
  // The clips of the images are progressive.
  Video: 'prompt model aspect_ratio connection model_settings deinterlace speed reverse keep_pitch freeze frame_blending',
  Audio: 'src speed reverse keep_pitch',
  Voice: 'text voice model language connection model_settings speed',
  HTML: 'src',
  Component: themes,
  Subtitles: 'language model',
  Group: 'elements',
  'Subtitles: Settings': 'font_url keywords id comment speaker_colors',
};

/** Rows of the page's tables without an image, by section. */
function rowsWithoutImage(): Record<string, string[]> {
  const rows: Record<string, string[]> = {};
  let section = '';
  for (const line of page.split('\n')) {
    const heading = /^#+ (.+)$/.exec(line)?.[1];
    if (heading !== undefined) section = heading;
    if (line.startsWith('Settings:')) section += ': Settings';
    if (line === 'Of each keyframe:') section = 'Of each keyframe';
    const property = /^\| `([^`]+)` \|/.exec(line)?.[1];
    if (property !== undefined && !line.includes('](images/properties/')) rows[section] = [...(rows[section] ?? []), property];
  }
  return rows;
}

describe('the images of the script reference', () => {
  const files = readdirSync(new URL('images/', docs), { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'));

  it('exist for every property with a visible effect', () => {
    const known = Object.fromEntries(Object.entries(unseen).map(([section, names]) => [section, names.split(' ')]));
    const wanting = Object.entries(rowsWithoutImage()).flatMap(([section, names]) =>
      names.filter((name) => !known[section]?.includes(name)).map((name) => `${section}: ${name}`),
    );
    expect(wanting).toEqual([]);
  });

  it('show several variants each and belong to a row of the reference', async () => {
    const { strips, fileOf } = (await import(make('strips.mjs'))) as Strips;
    expect(new Set(strips.map(({ of }) => of)).size).toBe(strips.length);
    expect(strips.filter(({ tiles }) => tiles.length < 2 || new Set(tiles.map(({ label }) => label)).size < tiles.length).map(({ of }) => of)).toEqual([]);
    const pages = page + readSource('docs/subtitles.md');
    expect(strips.filter((strip) => !pages.includes(`](${fileOf(strip)})`)).map(({ of }) => of)).toEqual([]);
  });

  it('are used by a document and small', () => {
    const texts = listSourceFiles()
      .filter((path) => path.endsWith('.md'))
      .map(readSource)
      .join('\n');
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((name) => !texts.includes(`images/${name}`))).toEqual([]);
    const sizes = files.map((name) => ({ name, bytes: statSync(new URL(`images/${name}`, docs)).size }));
    expect(sizes.filter(({ name, bytes }) => name.startsWith('properties/') && bytes > 30_000)).toEqual([]);
    expect(sizes.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(4_500_000);
  });
});
