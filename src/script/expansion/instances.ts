import { asText, isTrue, type Lookup, missing, numberOf } from '../expressions/index.js';
import { hasPlaceholder, Substitution, type SubstitutionBudget } from '../substitute.js';
import { fail, joinPath, show } from '../validation/fail.js';
import { propertySchema, schemaPart, scriptSchema } from '../validation/schema.js';

export type Raw = Readonly<Record<string, unknown>>;

/** Where something stands in the client's script. */
export interface Origin {
  path: string;
  /** Like the path, but no two parts of the expanded script share it: iterations and imports are told apart. */
  label: string;
}

/** An element on its way into the expanded script. */
export interface ElementInstance extends Origin {
  raw: Raw;
  evaluator: ScopeEvaluator;
}

/** A scene on its way into the expanded script, or the movie around its own elements. */
export interface Container extends Origin {
  raw: Raw;
  evaluator: ScopeEvaluator;
  /** What stands where elements should, if that is no list. */
  misplaced?: unknown;
  elements: Array<ElementInstance | MisplacedElement>;
  /** How many items came before, of what. */
  item?: { index: number; of: string };
}

/** Something that is no element; the schema says so later. */
export interface MisplacedElement extends Origin {
  raw: undefined;
  value: unknown;
}

/** Works out values with the names of one scope; what came out of a variable itself is taken as it is. */
export class ScopeEvaluator {
  readonly #substitution: Substitution | undefined;

  private constructor(substitution: Substitution | undefined) {
    this.#substitution = substitution;
  }

  static with(ledger: SubstitutionBudget, scope: Lookup): ScopeEvaluator {
    return new ScopeEvaluator(new Substitution(ledger, scope));
  }

  static literal(): ScopeEvaluator {
    return new ScopeEvaluator(undefined);
  }

  get isAsIs(): boolean {
    return this.#substitution === undefined;
  }

  /** The value of an expression without its braces, or `missing`. */
  evaluate(expression: string, path: string): unknown {
    return this.#substitution === undefined ? missing : this.#substitution.evaluate(expression, path);
  }

  fill(value: unknown, path: string): unknown {
    return this.#substitution === undefined ? value : this.#substitution.fill(value, path);
  }

  /** A property of a part of the schema; text that placeholders gave becomes the number or boolean that the property needs, and the other way round. */
  property(part: string, key: string, value: unknown, path: string): unknown {
    const filled = this.fill(value, path);
    if (typeof value !== 'string' || value === filled || !hasPlaceholder(value)) return filled;
    const types = [knownProperty(part, key)?.type ?? []].flat();
    const numeric = types.includes('number') || types.includes('integer');
    const wantsText = types.includes('string') && !(part === 'scene' && key === 'duration');
    if (numeric && !wantsText && typeof filled === 'string') return numberOf(filled) ?? filled;
    if (types.includes('boolean') && !wantsText && (filled === 'true' || filled === 'false')) return filled === 'true';
    if (!numeric && wantsText && (typeof filled === 'number' || (typeof filled === 'boolean' && !types.includes('boolean')))) return asText(filled);
    return filled;
  }

  /** Whether a condition holds: true, or text that is not empty; a variable that there is not is false. */
  isConditionMet(raw: Raw, path: string): boolean {
    const condition = ownValue(raw, 'condition');
    if (condition === undefined || condition === null) return true;
    const at = joinPath(path, 'condition');
    if (typeof condition !== 'string' && typeof condition !== 'boolean')
      fail(at, `condition must be a boolean or a text such as "{{kind == 'long'}}", not ${show(condition)}.`);
    const value = this.fill(condition, at);
    return value !== missing && isTrue(value) && !(value === condition && typeof value === 'string' && hasPlaceholder(value));
  }

  /** Variables of a scene or an element: their values may use those around them. */
  variables(raw: Raw, path: string): Raw | undefined {
    const at = joinPath(path, 'variables');
    const given = ownValue(raw, 'variables');
    const value = this.fill(given, at);
    if (value === undefined || value === null) return undefined;
    return isRecord(value) ? value : fail(at, `variables must be an object, not ${show(value)}.`);
  }
}

function knownProperty(part: string, key: string) {
  const known = part === '' || Object.hasOwn(scriptSchema.$defs as object, part);
  return known ? propertySchema(schemaPart(part), key) : undefined;
}

export function ownValue(raw: Raw, ...names: readonly string[]): unknown {
  for (const name of names) if (Object.hasOwn(raw, name) && raw[name] !== null) return raw[name];
  return undefined;
}

export function isRecord(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
