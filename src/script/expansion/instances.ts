import { asText, isTrue, type Lookup, missing, numberOf } from '../expressions/index.js';
import { isObject, type Raw } from '../raw.js';
import { hasPlaceholder, Substitution, type SubstitutionBudget } from '../substitute.js';
import { fail, joinPath, show } from '../validation/fail.js';
import { propertySchema, schemaPart, scriptSchema } from '../validation/schema.js';

/** Location in the client's script. */
export interface Origin {
  path: string;
  /** Like the path, but unique in the expanded script: iterations and imports are distinguished. */
  label: string;
}

/** An element of the expanded script, before evaluation. */
export interface ElementInstance extends Origin {
  raw: Raw;
  evaluator: ScopeEvaluator;
  /** The elements of a group. */
  members?: Container;
}

/** A scene or group of the expanded script or the movie, before evaluation. */
export interface Container extends Origin {
  raw: Raw;
  evaluator: ScopeEvaluator;
  /** The value of `elements` if it is not an array. */
  misplaced?: unknown;
  elements: Array<ElementInstance | MisplacedElement>;
  /** Index of the item and name of the iterated variable. */
  item?: { index: number; of: string };
}

/** A value that is not an element; the schema rejects it later. */
interface MisplacedElement extends Origin {
  raw: undefined;
  value: unknown;
}

/** Evaluates values in one scope. A literal evaluator returns them unchanged, because the results of variables are not evaluated again. */
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

  /** Evaluates an expression without braces; `missing` if a name is not defined. */
  evaluate(expression: string, path: string): unknown {
    return this.#substitution === undefined ? missing : this.#substitution.evaluate(expression, path);
  }

  /** Evaluates the placeholders of a value. */
  fill(value: unknown, path: string): unknown {
    return this.#substitution === undefined ? value : this.#substitution.fill(value, path);
  }

  /** Evaluates a property and converts the result of placeholders to the type that the schema requires. */
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

  /** Evaluates `condition`: missing variables and empty text are false. */
  isConditionMet(raw: Raw, path: string): boolean {
    const condition = ownValue(raw, 'condition');
    if (condition === undefined || condition === null) return true;
    const at = joinPath(path, 'condition');
    if (typeof condition !== 'string' && typeof condition !== 'boolean')
      fail(at, `condition must be a boolean or a text such as "{{kind == 'long'}}", not ${show(condition)}.`);
    const value = this.fill(condition, at);
    return value !== missing && isTrue(value) && !(value === condition && typeof value === 'string' && hasPlaceholder(value));
  }

  /** The variables of a scene or element; their values may use outer variables. */
  variables(raw: Raw, path: string): Raw | undefined {
    const at = joinPath(path, 'variables');
    const given = ownValue(raw, 'variables');
    const value = this.fill(given, at);
    if (value === undefined || value === null) return undefined;
    return isObject(value) ? value : fail(at, `variables must be an object, not ${show(value)}.`);
  }
}

function knownProperty(part: string, key: string) {
  const known = part === '' || Object.hasOwn(scriptSchema.$defs as object, part);
  return known ? propertySchema(schemaPart(part), key) : undefined;
}

/** The first own property with one of these names that is not null. */
export function ownValue(raw: Raw, ...names: readonly string[]): unknown {
  for (const name of names) if (Object.hasOwn(raw, name) && raw[name] !== null) return raw[name];
  return undefined;
}
