/** A part of a spoken text: text, or a pause. */
export type SpokenPart = { text: string } | { pauseSeconds: number };

const known = 'speak|voice|break|emphasis|prosody|phoneme|say-as|sub|p|s|lang|audio|bookmark|mark|mstts:[a-z-]+|lexicon';
const tags = new RegExp(`<(/?)(${known})((?:\\s[^<>]*)?)(/?)>`, 'gi');

/** Whether a text contains SSML tags; "a < b" does not. */
export function hasSsml(text: string): boolean {
  return new RegExp(tags.source, 'i').test(text);
}

/** Splits SSML into text and pauses; `sub` is replaced by its alias, `break` and paragraph ends become pauses. */
export function parseSsml(text: string): SpokenPart[] {
  if (!hasSsml(text)) return [{ text }];
  const parts: SpokenPart[] = [];
  const say = (piece: string): void => {
    const plain = decodeEntities(piece.replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, ' '));
    const last = parts.at(-1);
    if (plain.trim() === '') return;
    if (last !== undefined && 'text' in last) last.text += plain;
    else parts.push({ text: plain });
  };
  let at = 0;
  let hidden: string | undefined;
  for (const match of text.matchAll(tags)) {
    const [whole, slash, name = '', attributes = '', empty] = match;
    const tag = name.toLowerCase();
    if (hidden === undefined) say(text.slice(at, match.index));
    at = match.index + whole.length;
    if (slash === '/' && tag === hidden) hidden = undefined;
    else if (tag === 'break' && slash === '') parts.push({ pauseSeconds: breakSeconds(attributes) });
    else if ((tag === 'p' || tag === 's') && slash === '/') parts.push({ pauseSeconds: tag === 'p' ? 0.7 : 0.4 });
    else if (tag === 'sub' && slash === '' && empty === '') {
      const alias = attribute(attributes, 'alias');
      if (alias !== undefined) {
        say(alias);
        hidden = 'sub';
      }
    }
  }
  if (hidden === undefined) say(text.slice(at));
  return parts;
}

/** The text without SSML tags, for subtitles. */
export function plainText(text: string): string {
  return parseSsml(text)
    .map((part) => ('text' in part ? part.text : ' '))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

const strengths: Readonly<Record<string, number>> = { none: 0, 'x-weak': 0.25, weak: 0.5, medium: 0.75, strong: 1, 'x-strong': 1.25 };
const MAX_BREAK_SECONDS = 20;

function breakSeconds(attributes: string): number {
  const time = /^\+?(\d*\.?\d+)\s*(ms|s)$/i.exec((attribute(attributes, 'time') ?? '').trim());
  const seconds = time === null ? strengths[attribute(attributes, 'strength') ?? 'medium'] : Number(time[1]) / (time[2]?.toLowerCase() === 'ms' ? 1000 : 1);
  return Math.min(MAX_BREAK_SECONDS, seconds ?? 0.75);
}

function attribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(attributes);
  const value = found?.[1] ?? found?.[2];
  return value === undefined ? undefined : decodeEntities(value);
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,4});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole;
    const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Escapes a text for an SSML document; supported tags are preserved. */
export function escapeAroundTags(text: string): string {
  let out = '';
  let at = 0;
  for (const match of text.matchAll(tags)) {
    out += escapeXml(text.slice(at, match.index)) + match[0];
    at = match.index + match[0].length;
  }
  return out + escapeXml(text.slice(at));
}

/** Existing entities are preserved. */
export function escapeXml(text: string): string {
  return text
    .replace(/&(?!(?:#\d+|#x[0-9a-f]+|amp|lt|gt|quot|apos);)/gi, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
