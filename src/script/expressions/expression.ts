import { functions } from './functions.js';
import { checkFinite, isTrue, operators, requireNumber } from './operators.js';
import { ExpressionError, readTokens, type Token } from './tokens.js';

/** Maximum length of an expression in characters. */
export const MAX_EXPRESSION_CHARACTERS = 1000;
const MAX_NESTING = 32;
/** Maximum number of tokens; long chains are evaluated recursively. */
const MAX_TOKENS = 200;

/** Returns the value of a name; undefined if it is not defined. */
export type Lookup = (name: string) => { value: unknown } | undefined;

/** Evaluates an expression; returns `missing` if it needs a name or member that is not defined. */
export type Expression = (lookup: Lookup) => unknown;

/** Result of expressions that refer to undefined names. */
export const missing: unique symbol = Symbol('missing');

/** Compiles an expression for repeated evaluation. Throws ExpressionError. */
export function compileExpression(source: string): Expression {
  if (source.length > MAX_EXPRESSION_CHARACTERS) throw new ExpressionError(`is longer than ${MAX_EXPRESSION_CHARACTERS} characters`);
  const tokens = readTokens(source);
  if (tokens.length > MAX_TOKENS) throw new ExpressionError(`has more than ${MAX_TOKENS} words and signs`);
  return new Parser(tokens).parse();
}

/** Binary operators by increasing precedence; all are left-associative. */
const levels: ReadonlyArray<readonly string[]> = [
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];

const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const wordOperators: ReadonlySet<string> = new Set(['and', 'or', 'not']);

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #nesting = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Expression {
    const expression = this.#choice();
    if (this.#token.kind !== 'end') this.#unexpected();
    return expression;
  }

  get #token(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: 'its end' };
  }

  /** condition ? yes : no */
  #choice(): Expression {
    return this.#nested(() => {
      const condition = this.#or();
      if (!this.#takeSign('?')) return condition;
      const yes = this.#choice();
      this.#needSign(':');
      const no = this.#choice();
      return (lookup) => {
        const chosen = condition(lookup);
        if (chosen === missing) return missing;
        return isTrue(chosen) ? yes(lookup) : no(lookup);
      };
    });
  }

  #or(): Expression {
    let left = this.#and();
    while (this.#takeSign('||') || this.#takeWord('or')) left = orElse(left, this.#and());
    return left;
  }

  #and(): Expression {
    let left = this.#not();
    while (this.#takeSign('&&') || this.#takeWord('and')) left = andThen(left, this.#not());
    return left;
  }

  #not(): Expression {
    if (!this.#takeWord('not')) return this.#binary(0);
    const inner = this.#nested(() => this.#not());
    return negated(inner);
  }

  #binary(level: number): Expression {
    const signs = levels[level];
    if (signs === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (let sign = this.#takeOne(signs); sign !== undefined; sign = this.#takeOne(signs)) left = operation(sign, left, this.#binary(level + 1));
    return left;
  }

  #unary(): Expression {
    if (this.#takeSign('!')) return negated(this.#nested(() => this.#unary()));
    const sign = this.#takeOne(['-', '+']);
    if (sign === undefined) return this.#member();
    const inner = this.#nested(() => this.#unary());
    const factor = sign === '-' ? -1 : 1;
    return (lookup) => {
      const value = inner(lookup);
      return value === missing ? missing : checkFinite(requireNumber(value, `"${sign}"`) * factor);
    };
  }

  #member(): Expression {
    let owner = this.#primary();
    for (;;) {
      if (this.#takeSign('.')) owner = member(owner, this.#memberName());
      else if (this.#takeSign('[')) {
        const key = this.#choice();
        this.#needSign(']');
        owner = member(owner, key);
      } else return owner;
    }
  }

  #memberName(): Expression {
    const { kind, text } = this.#token;
    if (kind !== 'name' && !(kind === 'number' && /^\d+$/.test(text))) this.#unexpected('a name after "."');
    this.#at += 1;
    return () => text;
  }

  #primary(): Expression {
    const { kind, text } = this.#token;
    if (this.#takeSign('(')) {
      const inner = this.#choice();
      this.#needSign(')');
      return inner;
    }
    if (kind !== 'number' && kind !== 'text' && kind !== 'name') this.#unexpected('a value');
    this.#at += 1;
    if (kind === 'number') return constant(checkFinite(Number(text)));
    if (kind === 'text') return constant(text);
    if (words.has(text)) return constant(words.get(text));
    if (wordOperators.has(text)) throw new ExpressionError(`has "${text}" where a value is expected`);
    if (this.#takeSign('(')) return this.#call(text);
    return (lookup) => {
      const found = lookup(text);
      return found === undefined ? missing : found.value;
    };
  }

  #call(name: string): Expression {
    const called = functions.get(name);
    if (called === undefined) throw new ExpressionError(`calls ${name}(), but there are only ${[...functions.keys()].join(', ')}`);
    const values: Expression[] = [];
    if (!this.#takeSign(')')) {
      do values.push(this.#choice());
      while (this.#takeSign(','));
      this.#needSign(')');
    }
    const [min, max] = called.arguments;
    if (values.length < min || values.length > max)
      throw new ExpressionError(`gives ${name}() ${values.length} values; it takes ${min === max ? min : `${min} to ${max}`}`);
    return (lookup) => {
      const given = values.map((value) => value(lookup));
      return given.includes(missing) ? missing : called.call(given);
    };
  }

  #takeSign(sign: string): boolean {
    return this.#take('symbol', sign);
  }

  #takeWord(word: string): boolean {
    return this.#take('name', word);
  }

  #take(kind: Token['kind'], text: string): boolean {
    const taken = this.#token.kind === kind && this.#token.text === text;
    if (taken) this.#at += 1;
    return taken;
  }

  #takeOne(signs: readonly string[]): string | undefined {
    return signs.find((sign) => this.#takeSign(sign));
  }

  #needSign(sign: string): void {
    if (!this.#takeSign(sign)) this.#unexpected(`"${sign}"`);
  }

  #unexpected(wanted?: string): never {
    const { kind, text } = this.#token;
    const found = kind === 'end' ? text : JSON.stringify(text);
    throw new ExpressionError(wanted === undefined ? `goes on with ${found} where it should end` : `has ${found} where ${wanted} is expected`);
  }

  #nested<T>(parse: () => T): T {
    this.#nesting += 1;
    if (this.#nesting > MAX_NESTING) throw new ExpressionError(`is nested more than ${MAX_NESTING} levels deep`);
    const parsed = parse();
    this.#nesting -= 1;
    return parsed;
  }
}

function constant(value: unknown): Expression {
  return () => value;
}

function operation(sign: string, left: Expression, right: Expression): Expression {
  const operate = operators[sign];
  if (operate === undefined) throw new Error(`no operator ${sign}`);
  return (lookup) => {
    const first = left(lookup);
    const second = right(lookup);
    return first === missing || second === missing ? missing : operate(first, second);
  };
}

/** The first true value, otherwise the last; missing values count as false, which allows defaults. */
function orElse(left: Expression, right: Expression): Expression {
  return (lookup) => {
    const first = left(lookup);
    return first !== missing && isTrue(first) ? first : right(lookup);
  };
}

function andThen(left: Expression, right: Expression): Expression {
  return (lookup) => {
    const first = left(lookup);
    return first !== missing && isTrue(first) ? right(lookup) : first;
  };
}

function negated(inner: Expression): Expression {
  return (lookup) => {
    const value = inner(lookup);
    return value === missing ? missing : !isTrue(value);
  };
}

/** Own members of objects and items of arrays; inherited members are not accessible. */
function member(owner: Expression, key: Expression): Expression {
  return (lookup) => {
    const object = owner(lookup);
    const name = key(lookup);
    if (typeof object !== 'object' || object === null || (typeof name !== 'string' && typeof name !== 'number')) return missing;
    if (Array.isArray(object) && !/^\d{1,9}$/.test(String(name))) return missing;
    const value = Object.hasOwn(object, name) ? (object as Record<string | number, unknown>)[name] : undefined;
    return value === undefined ? missing : value;
  };
}
