import { describe, expect, it } from 'vitest';
import { listSourceFiles, readSource } from './source-files.js';

/** Where a word of the table is right: the field's own term, or a name that others chose. */
const exceptions: Array<{ word: RegExp; path: RegExp; text?: RegExp }> = [
  // H.264 and AV1 speak of pictures, and so does what reads and writes their bitstreams.
  { word: /^pictures?$/, path: /^native\/bitstream\// },
  // So do NVENC and x264.
  { word: /^pictures?$/, path: /^test\/(substitute-driver\/|native\/vulkan\/nvidia_test)/ },
  // libav's names.
  { word: /^pictures?$/, path: /./, text: /AV_?PICTURE|AVPicture|pict_type|[Pp]icture-in-[Pp]icture|<picture/ },
  // libva's names.
  { word: /^picture$/, path: /^native\/libav\/hardware\/interop\/video_processor\.cc$/, text: /^(va(Begin|Render|End)Picture|VA_FRAME_PICTURE)$/ },
  { word: /^films?$/, path: /./, text: /film[ -_]?(grain|burn|look)/i },
  // Values of users' scripts that get a hint.
  { word: /^(pictures?|films?)$/, path: /^src\/script\/validation\/value-hints\.ts$/ },
  // A property of the timeline's wire format.
  { word: /^handover$/, path: /^src\/timeline\/(compile-timeline|timeline)\.ts$|\/render\/.*segment-key(\.test)?\.ts$/ },
  // Property names of scripts that others publish.
  { word: /^picture$/, path: /^test\/sheets\/placeholder-media/ },
  // Keys of results.json of `bench encoders` and of `packs preview --json`.
  { word: /^(least|most)$/, path: /^(src|test\/unit)\/cli\/encoder-bench\//, text: /^(least|most|leastPsnr)$/ },
  { word: /^pictures$/, path: /^src\/cli\/commands\/host\/packs\.ts$/ },
  // Keys of the results of benchmarks, and the name of a movie there.
  { word: /^tickets?$/, path: /^bench\/farm\//, text: /^(tickets|lostTickets)$/ },
  { word: /^most$/, path: /^bench\/farm\/figures\.mjs$/ },
  { word: /^films$/, path: /^bench\/movies\/(movies\.mjs|peers\/ffmpeg\.mjs|README\.md)$/, text: /^films$|--only/ },
  // Columns of the database.
  { word: /^held$/, path: /^src\/(db|delivery\/outbox)\//, text: /^held_(by|until)$/ },
  // A key of gpu_check's report.
  { word: /^least$/, path: /^test\/native\/vulkan\/gpu_check_report/, text: /^leastSimilarity$/ },
  // A name of Rubber Band.
  { word: /^finer$/, path: /^native\/audio\/time_stretch/, text: /^RubberBandOptionEngineFiner$/ },
  // The filter.
  { word: /^shelf$/, path: /^src\/providers\/speech\/audio\//, text: /^highShelf$/ },
  {
    word: /^shelf$/,
    path: /^(native\/(audio\/effects\/equalizer\.cc|core\/equalizer_band\.h)|test\/native\/audio\/equalizer_test\.cc)$/,
    text: /^k(Low|High)Shelf$/,
  },
  // CSS and SVG.
  { word: /^upright$/, path: /./, text: /text-orientation|sideways|italic/ },
];

interface BannedTerm {
  words: string[];
  instead: string;
  inNames: boolean;
  inProse: boolean;
}

/** The table "Words not to use" of docs/glossary.md. */
function readBannedTerms(): BannedTerm[] {
  const [, table = ''] = readSource('docs/glossary.md').split('## Words not to use');
  return [...table.matchAll(/^\| (`.*`) \| (.*) \| (.*) \|$/gm)].flatMap(([, terms = '', instead = '', where = '']) =>
    [...terms.matchAll(/`([^`]+)`/g)].map(([, term = '']) => ({
      words: term.split(' '),
      instead,
      inNames: where.includes('names'),
      inProse: where.includes('prose'),
    })),
  );
}

const banned = readBannedTerms();

/** `mostWords`, `most_words`, `kMostWords` and `MOST-WORDS` → most, words. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase());

const contains = (words: readonly string[], term: readonly string[]): boolean =>
  words.some((_, start) => term.every((word, offset) => words[start + offset] === word));

interface Source {
  path: string;
  code: string;
  prose: string;
}

/** Code without strings, regular expressions and comments, and the comments alone; lines keep their numbers. */
function separate(path: string, text: string): Source {
  if (path.endsWith('.md'))
    return {
      path,
      code: '',
      prose: text
        .replace(/```[\s\S]*?```/g, blank)
        .replace(/`[^`\n]*`/g, blank)
        .replace(/\]\([^)]*\)/g, blank),
    };
  const pattern =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<=[(,=:[]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//g;
  const comments: string[] = [];
  const code = text.replace(pattern, (part) => {
    const isComment = part.startsWith('//') || part.startsWith('/*');
    if (isComment) comments.push(part.replace(/`[^`\n]*`/g, blank));
    return blank(part);
  });
  return { path, code, prose: comments.join('\n') };
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

function findIn(source: Source): string[] {
  const isException = (word: string, text: string): boolean =>
    exceptions.some((one) => one.word.test(word) && one.path.test(source.path) && (one.text === undefined || one.text.test(text)));
  const problems = new Set<string>();
  const names = new Set([...(source.code.match(/[A-Za-z_]\w+/g) ?? []), ...source.path.split('/')]);
  for (const name of names) {
    const words = wordsOf(name);
    for (const term of banned) {
      if (term.inNames && contains(words, term.words) && !isException(term.words.join(' '), name)) problems.add(`${name} (${term.instead})`);
    }
  }
  for (const line of source.prose.split('\n')) {
    for (const term of banned) {
      const text = new RegExp(`\\b${term.words.join('[ -]')}\\b`, 'i');
      if (term.inProse && text.test(line) && !isException(term.words.join(' '), line))
        problems.add(`"${term.words.join(' ')}" in: ${line.trim().slice(0, 90)}`);
    }
  }
  return [...problems].map((problem) => `${source.path}: ${problem}`);
}

const files = listSourceFiles('src', 'native', 'test', 'bench', 'docs', 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples', 'deploy', 'packs')
  .filter((path) => /\.(tsx?|mjs|cc|h|comp|glsl|md)$/.test(path))
  .filter((path) => !path.includes('.generated.') && !/^docs\/glossary\.md$|^test\/architecture\/language\.test\.ts$/.test(path));

describe('the language of the tree', () => {
  it('the reader separates names, strings and comments', () => {
    expect(banned.length).toBeGreaterThan(30);
    const sample = separate('src/sample.ts', "const mostWords = 'film'; // a film\n/** Nothing. */ const stillShelf = 1; const almost = 2;");
    expect(findIn(sample).map((line) => line.split(': ')[1]?.split(' ')[0])).toEqual(['mostWords', 'stillShelf', '"film"']);
  });

  it('names, comments and documents contain no word that the glossary bans', () => {
    expect(files.length).toBeGreaterThan(1000);
    expect(files.flatMap((path) => findIn(separate(path, readSource(path))))).toEqual([]);
  });
});
