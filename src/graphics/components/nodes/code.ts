import { createRequire } from 'node:module';
import type { TreeNode } from '../pack.js';
import { lookUp } from '../placeholders.js';
import type { Settings } from '../settings.js';

const require = createRequire(import.meta.url);

/** Languages that `code.language` accepts. */
const languages = [
  'bash',
  'c',
  'cpp',
  'csharp',
  'css',
  'go',
  'java',
  'javascript',
  'json',
  'kotlin',
  'php',
  'python',
  'ruby',
  'rust',
  'sql',
  'swift',
  'typescript',
  'xml',
  'yaml',
];

/** Colours of tokens on a dark ground; each has a contrast of at least 4.5 with `#12141f`. */
const tokenColors: Readonly<Record<string, string>> = {
  keyword: '#c792ea',
  built_in: '#82aaff',
  type: '#ffcb6b',
  literal: '#f78c6c',
  number: '#f78c6c',
  string: '#a5e075',
  regexp: '#a5e075',
  comment: '#8a93b2',
  title: '#82aaff',
  attr: '#7fdbca',
  attribute: '#7fdbca',
  name: '#ff8b92',
  tag: '#ff8b92',
  variable: '#ffcb6b',
  property: '#7fdbca',
  meta: '#c792ea',
  symbol: '#f78c6c',
  operator: '#89ddff',
  subst: '#e6e9f5',
};
const plainColor = '#e6e9f5';

const maxLineCount = 24;
const maxColumnCount = 80;

interface Token {
  text: string;
  color: string;
}

/** Rows of a code block, one for each line of `code.text`; a row holds a text for each token. The rows have the motion of the template. */
export function codeNodes(settings: Settings, template: TreeNode): TreeNode[] {
  const source = [lookUp(settings, 'code.text') ?? ''].flat().join('\n').replaceAll('\t', '  ').replaceAll('\r', '');
  const lines = linesOf(highlight(source.trimEnd(), String(lookUp(settings, 'code.language') ?? ''))).slice(0, maxLineCount);
  const columns = Math.max(24, ...lines.map((tokens) => tokens.reduce((sum, { text }) => sum + text.length, 0)));
  // Characters of the code font are 0.6 em wide; line numbers take 4 columns.
  const size = `${Math.min(3.1, 78 / ((columns + 4) * 0.6)).toFixed(3)}vmin`;
  const wide = `${Math.min(3.4, 118 / ((columns + 4) * 0.6), 62 / (lines.length * 1.55)).toFixed(3)}vmin`;
  const tall = `${Math.min(3.6, 82 / ((columns + 4) * 0.6), 110 / (lines.length * 1.55)).toFixed(3)}vmin`;
  const fontSize = lookUp(settings, 'view.portrait') === 'true' ? tall : lookUp(settings, 'view.square') === 'true' ? size : wide;
  return lines.map((tokens, index) => ({
    kind: 'box',
    style: {
      'flex-direction': 'row',
      'font-family': 'JetBrains Mono',
      'font-size': fontSize,
      'line-height': '1.55',
      height: `${Number.parseFloat(fontSize) * 1.55}vmin`,
    },
    delay: index * Number(template.stagger ?? 0) + Number(template.delay ?? 0),
    ...(template.motion === undefined ? {} : { motion: template.motion }),
    children: [
      {
        kind: 'text',
        text: String(index + 1)
          .padStart(2, '\u00a0')
          .padEnd(4, '\u00a0'),
        fixed: { color: '#7d86a6', 'white-space': 'nowrap', 'flex-shrink': 0 },
      },
      ...tokens.map(
        (token): TreeNode => ({ kind: 'text', text: escaped(token.text), fixed: { color: token.color, 'white-space': 'nowrap', 'flex-shrink': 0 } }),
      ),
    ],
  }));
}

/** Non-breaking spaces, and entities so that markup in code is shown, not interpreted. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(' ', '\u00a0').replaceAll('{{', '{\u2060{');
}

/** What is used of highlight.js; its own types need those of browsers. */
interface Highlighter {
  highlight(source: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
  getLanguage(name: string): object | undefined;
  registerLanguage(name: string, language: unknown): void;
}

let highlighter: Highlighter | undefined;

function highlight(source: string, language: string): Token[] {
  if (!languages.includes(language)) return [{ text: source, color: plainColor }];
  highlighter ??= require('highlight.js/lib/core') as Highlighter;
  if (highlighter.getLanguage(language) === undefined) highlighter.registerLanguage(language, require(`highlight.js/lib/languages/${language}`));
  return tokensOf(highlighter.highlight(source, { language, ignoreIllegals: true }).value);
}

/** Reads the spans of highlight.js; an inner span's colour replaces the outer one's. */
function tokensOf(html: string): Token[] {
  const colors = [plainColor];
  const tokens: Token[] = [];
  for (const [, open, close, text] of html.matchAll(/<span class="([^"]*)">|(<\/span>)|([^<]+)/g)) {
    if (open !== undefined) colors.push(colorOf(open) ?? (colors.at(-1) as string));
    else if (close !== undefined) colors.pop();
    else tokens.push({ text: decoded(text ?? ''), color: colors.at(-1) ?? plainColor });
  }
  return tokens;
}

function colorOf(classes: string): string | undefined {
  const [name = ''] = classes.replaceAll('hljs-', '').split(/[ .]/);
  return Object.hasOwn(tokenColors, name) ? tokenColors[name] : undefined;
}

function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&');
}

/** Splits tokens at line ends, joins blank tokens with their neighbours and cuts lines that are too long. */
function linesOf(tokens: readonly Token[]): Token[][] {
  const lines: Token[][] = [[]];
  for (const { text, color } of tokens) {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ text: part, color });
    }
  }
  return lines.map((line) => cut(joinBlank(line)));
}

function joinBlank(line: readonly Token[]): Token[] {
  const joined: Token[] = [];
  let blank = '';
  for (const { text, color } of line) {
    if (text.trim() === '') blank += text;
    else {
      joined.push({ text: blank + text, color });
      blank = '';
    }
  }
  return joined;
}

function cut(line: readonly Token[]): Token[] {
  let room = maxColumnCount;
  return line.flatMap(({ text, color }) => {
    if (room <= 0) return [];
    const shown = text.length > room ? `${text.slice(0, room - 1)}…` : text;
    room -= text.length;
    return [{ text: shown, color }];
  });
}
