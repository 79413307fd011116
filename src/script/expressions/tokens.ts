/** An expression is invalid. The message is a predicate that follows the expression. */
export class ExpressionError extends Error {}

/** A token of an expression. */
export interface Token {
  kind: 'number' | 'text' | 'name' | 'symbol' | 'end';
  /** As written; for texts, the content without quotes. */
  text: string;
}

const patterns = {
  space: /\s*/y,
  number: /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y,
  name: /[\p{L}_][\p{L}\p{N}_]*/uy,
  text: /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/sy,
  symbol: /==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]]/y,
} as const;

/** Splits an expression into tokens. Throws ExpressionError. */
export function readTokens(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (kind: keyof typeof patterns): string | undefined => {
    const pattern = patterns[kind];
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  for (;;) {
    take('space');
    if (at >= source.length) return [...tokens, { kind: 'end', text: 'its end' }];
    const token = readToken(take);
    if (token === undefined) throw new ExpressionError(unreadable(source.slice(at)));
    tokens.push(token);
  }
}

function readToken(take: (kind: 'number' | 'name' | 'text' | 'symbol') => string | undefined): Token | undefined {
  for (const kind of ['number', 'name', 'symbol'] as const) {
    const text = take(kind);
    if (text !== undefined) return { kind, text };
  }
  const quoted = take('text');
  return quoted === undefined ? undefined : { kind: 'text', text: unescaped(quoted.slice(1, -1)) };
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, letter: string) => ({ n: '\n', t: '\t' })[letter] ?? letter);
}

function unreadable(rest: string): string {
  const [letter = ''] = rest;
  if (letter === '"' || letter === "'") return `has a text without its closing ${letter}`;
  if (letter === '=') return 'has a single "="; equality is "=="';
  return `has ${JSON.stringify(letter)}, which is not allowed in expressions`;
}
