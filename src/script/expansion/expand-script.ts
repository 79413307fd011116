import { type Lookup, missing } from '../expressions/index.js';
import { isObject, type Raw } from '../raw.js';
import { nestScopes, SubstitutionBudget, scopeOf } from '../substitute.js';
import { fail, joinPath, ScriptError, show } from '../validation/fail.js';
import { type Container, type ElementInstance, type Origin, ownValue, ScopeEvaluator } from './instances.js';
import { type DurationSources, Timings } from './timings.js';

/** Maximum number of scenes and elements after iterations and imports. */
const MAX_SCENES = 1000;
const MAX_ELEMENTS = 10_000;
/** Maximum number of items of all iterations, including those that conditions omit. */
const MAX_ITEMS = 20_000;
/** Maximum length of a chain of imports. */
const MAX_IMPORTS = 100;

/** Properties that are evaluated here and removed from the result. */
const sceneControls: ReadonlySet<string> = new Set(['variables', 'condition', 'iterate', 'iterate-as', 'iterate_as', 'import', 'elements']);
const elementControls: ReadonlySet<string> = new Set(['variables', 'condition']);
const timedProperties: ReadonlySet<string> = new Set(['start', 'duration', 'extra_time', 'extra-time']);

/** Result of expandScript(). */
export interface Expansion {
  /** The script without variables, conditions, iterations and imports; not validated. */
  script: unknown;
  /** Origins of the scenes and movie-level elements of `script`, in order. */
  scenes: ExpandedScene[];
  elements: ExpandedElement[];
  /** Whether times depend on media whose durations are unknown. */
  isEstimated: boolean;
}

/** Origin of an element, and of those of a group. */
export interface ExpandedElement extends Origin {
  members?: ExpandedElement[];
}

interface ExpandedScene extends Origin {
  elements: ExpandedElement[];
  item?: Container['item'];
}

const noNames: Lookup = () => undefined;

/**
 * Evaluates the expressions, conditions, iterations, imports and dependent element times of a script. Invalid scenes and elements
 * stay in place and are rejected by the schema later. Throws SCHEMA_VALIDATION_ERROR.
 */
export function expandScript(script: Raw, lengths: Partial<DurationSources> = {}): Expansion {
  return new Expander(script).expand({ mediaSeconds: () => undefined, ...lengths });
}

class Expander {
  readonly #script: Raw;
  readonly #ledger = new SubstitutionBudget();
  readonly #scenes: Array<Container | MisplacedScene> = [];
  #rawScenes: readonly unknown[] = [];
  #elementCount = 0;
  #itemCount = 0;
  #scenesById: Map<string, number> | undefined;
  #timings: Timings | undefined;

  constructor(script: Raw) {
    this.#script = script;
  }

  expand(lengths: DurationSources): Expansion {
    const variables = ScopeEvaluator.literal().variables(this.#script, '');
    const movie: Container = { raw: this.#script, path: '', label: '', evaluator: ScopeEvaluator.literal(), elements: [] };
    const names = variables === undefined ? noNames : scopeOf(variables);
    const scope = nestScopes(names, this.#timesIn(movie));
    movie.evaluator = ScopeEvaluator.with(this.#ledger, scope);
    const scenes = this.#listScenes(movie, names);
    this.#placeElements(movie, this.#script, '', scope);
    this.#timings = new Timings(
      movie,
      this.#scenes.filter((scene) => scene.raw !== undefined),
      lengths,
    );
    return this.#write(movie, scenes);
  }

  /** Lists the scenes; returns the value of `scenes` if it is not an array. */
  #listScenes(movie: Container, scope: Lookup): { misplaced: unknown } | undefined {
    if (!Object.hasOwn(this.#script, 'scenes')) return undefined;
    const given = this.#script.scenes;
    const value = typeof given === 'string' ? movie.evaluator.fill(given, 'scenes') : given;
    if (!Array.isArray(value)) return { misplaced: value };
    this.#rawScenes = value;
    for (const [index, raw] of value.entries()) {
      const path = joinPath('scenes', index);
      const inserted = typeof raw === 'string' ? movie.evaluator.fill(raw, path) : raw;
      const isInserted = value !== given || inserted !== raw;
      if (isObject(inserted)) this.#placeScene(inserted, path, isInserted ? undefined : scope);
      else this.#addScene({ raw: undefined, value: inserted, path, label: path });
    }
    return undefined;
  }

  /** Adds a scene once per item. `scope` is undefined for a scene that comes from a variable, which is not evaluated. */
  #placeScene(raw: Raw, path: string, scope: Lookup | undefined): void {
    const items = scope === undefined ? undefined : this.#itemsOf(raw, path, scope);
    if (items === undefined) {
      this.#placeOne(raw, { path, label: path }, scope);
      return;
    }
    for (const [index, item] of items.list.entries()) {
      const named: Lookup = (name) => (name === items.name ? { value: item } : undefined);
      const around = nestScopes(named, isObject(item) ? scopeOf(item) : noNames, scope ?? noNames);
      withItemContext({ index, of: items.of }, () => this.#placeOne(raw, { path, label: `${path}[${index}]` }, around, { index, of: items.of }));
    }
  }

  #placeOne(raw: Raw, place: Origin, around: Lookup | undefined, item?: Container['item']): void {
    const outer = around === undefined ? ScopeEvaluator.literal() : ScopeEvaluator.with(this.#ledger, around);
    const variables = outer.variables(raw, place.path);
    const container: Container = { raw, ...place, evaluator: outer, elements: [], ...(item !== undefined && { item }) };
    const scope = around && nestScopes(variables === undefined ? noNames : scopeOf(variables), around, this.#timesIn(container));
    container.evaluator = scope === undefined ? outer : ScopeEvaluator.with(this.#ledger, scope);
    if (!container.evaluator.isConditionMet(raw, place.path)) return;
    this.#addScene(container);
    this.#placeElements(container, raw, place.path, scope);
    this.#importInto(container, scope);
  }

  #addScene(scene: Container | MisplacedScene): void {
    this.#scenes.push(scene);
    if (this.#scenes.length > MAX_SCENES) fail(scene.path, `With all iterations the movie has more than ${MAX_SCENES} scenes.`);
  }

  #itemsOf(raw: Raw, path: string, scope: Lookup): { list: readonly unknown[]; name: string; of: string } | undefined {
    const of = ownValue(raw, 'iterate');
    if (of === undefined) return undefined;
    const at = joinPath(path, 'iterate');
    if (typeof of !== 'string') return fail(at, `iterate must be the name of an array variable, not ${show(of)}.`);
    const filling = ScopeEvaluator.with(this.#ledger, scope);
    const list = of.includes('{{') ? filling.fill(of, at) : filling.evaluate(of, at);
    if (list === missing || list === of) return fail(at, `iterate names ${show(of)}, but there is no such variable.`);
    if (!Array.isArray(list)) return fail(at, `iterate must name an array, but ${show(of)} is ${show(list)}.`);
    this.#itemCount += list.length;
    if (this.#itemCount > MAX_ITEMS) fail(at, `The scenes iterate over more than ${MAX_ITEMS} items together.`);
    const name = ownValue(raw, 'iterate_as', 'iterate-as') ?? 'item';
    if (typeof name !== 'string' || !/^[\p{L}_][\p{L}\p{N}_]{0,99}$/u.test(name))
      return fail(joinPath(path, 'iterate-as'), `iterate-as must be a name of letters, digits and underscores, not ${show(name)}.`);
    return { list, name, of };
  }

  #placeElements(container: Container, raw: Raw, place: string, scope: Lookup | undefined, label = container.label): void {
    if (!Object.hasOwn(raw, 'elements')) return;
    const path = joinPath(place, 'elements');
    const given = raw.elements;
    const value = typeof given === 'string' ? container.evaluator.fill(given, path) : given;
    if (!Array.isArray(value)) {
      container.misplaced = value;
      return;
    }
    for (const [index, element] of value.entries()) {
      const at = { path: joinPath(path, index), label: joinPath(joinPath(label, 'elements'), index) };
      const inserted = typeof element === 'string' ? container.evaluator.fill(element, at.path) : element;
      const isInserted = scope === undefined || value !== given || inserted !== element;
      container.elements.push(
        isObject(inserted) ? this.#placeElement(inserted, at, isInserted ? undefined : scope) : { ...at, raw: undefined, value: inserted },
      );
      this.#elementCount += 1;
      if (this.#elementCount > MAX_ELEMENTS) fail(path, `With all iterations and imports the movie has more than ${MAX_ELEMENTS} elements.`);
    }
  }

  #placeElement(raw: Raw, place: Origin, around: Lookup | undefined): ElementInstance {
    if (around === undefined) return this.#withMembers({ raw, ...place, evaluator: ScopeEvaluator.literal() }, undefined);
    const outer = ScopeEvaluator.with(this.#ledger, around);
    const variables = outer.variables(raw, place.path);
    const scope = variables === undefined ? around : nestScopes(scopeOf(variables), around);
    return this.#withMembers({ raw, ...place, evaluator: variables === undefined ? outer : ScopeEvaluator.with(this.#ledger, scope) }, scope);
  }

  /** Places the elements of a group. */
  #withMembers(element: ElementInstance, scope: Lookup | undefined): ElementInstance {
    if (!Object.hasOwn(element.raw, 'elements')) return element;
    const { raw, path, label, evaluator } = element;
    const members: Container = { raw, path, label, evaluator, elements: [] };
    this.#placeElements(members, raw, path, scope);
    return { ...element, members };
  }

  /** Appends the elements of the imported scene, and of those that it imports. */
  #importInto(container: Container, scope: Lookup | undefined): void {
    const seen = new Set<unknown>([container.raw]);
    let at: { raw: Raw; path: string } = container;
    let { label } = container;
    for (let given = ownValue(at.raw, 'import'); given !== undefined; given = ownValue(at.raw, 'import')) {
      const path = joinPath(at.path, 'import');
      const id = container.evaluator.fill(given, path);
      if (typeof id !== 'string' && typeof id !== 'number') fail(path, `import must be the id of a scene, not ${show(id)}.`);
      const index = this.#indexOf(String(id));
      const imported = index === undefined ? undefined : this.#rawScenes[index];
      if (index === undefined || !isObject(imported)) fail(path, `import names the scene ${show(id)}, but no scene has this id.`);
      if (seen.has(imported)) fail(path, `The scene ${show(id)} imports itself.`);
      seen.add(imported);
      if (seen.size > MAX_IMPORTS) fail(path, `More than ${MAX_IMPORTS} scenes import each other in a row.`);
      at = { raw: imported, path: joinPath('scenes', index) };
      label = joinPath(label, 'import');
      this.#placeElements(container, imported, at.path, scope, label);
    }
  }

  /** Index of the first scene with an id. */
  #indexOf(id: string): number | undefined {
    if (this.#scenesById === undefined) {
      this.#scenesById = new Map();
      for (const [index, raw] of this.#rawScenes.entries()) {
        const named = isObject(raw) ? ownValue(raw, 'id') : undefined;
        if ((typeof named === 'string' || typeof named === 'number') && !this.#scenesById.has(String(named))) this.#scenesById.set(String(named), index);
      }
    }
    return this.#scenesById.get(id);
  }

  /** Scope of the element times, which are available once all elements are listed. */
  #timesIn(container: Container): Lookup {
    return (name) => this.#timings?.scopeIn(() => container)(name);
  }

  #write(movie: Container, misplacedScenes: { misplaced: unknown } | undefined): Expansion {
    const scenes = this.#scenes.map((scene) => withItemContext(scene.raw === undefined ? undefined : scene.item, () => this.#writeScene(scene)));
    const own = this.#writeElements(movie);
    const script = Object.fromEntries(
      Object.entries(this.#script).flatMap(([key, value]): Array<[string, unknown]> => {
        if (key === 'variables') return [];
        if (key === 'scenes') return [[key, misplacedScenes === undefined ? scenes.map(({ value: scene }) => scene) : misplacedScenes.misplaced]];
        if (key === 'elements') return [[key, own.value]];
        return [[key, movie.evaluator.property('', key, value, key)]];
      }),
    );
    if (scenes.length === 0 && Array.isArray(this.#script.scenes) && this.#script.scenes.length > 0)
      fail('scenes', 'scenes must be an array of at least 1 item, but conditions and iterations leave none.');
    return { script, scenes: scenes.map(({ source }) => source), elements: own.places, isEstimated: this.#timings?.isEstimated === true };
  }

  #writeScene(scene: Container | MisplacedScene): { value: unknown; source: ExpandedScene } {
    const { path, label } = scene;
    if (scene.raw === undefined) return { value: scene.value, source: { path, label, elements: [] } };
    const { raw, evaluator: filling, item } = scene;
    const own = this.#writeElements(scene);
    const entries = Object.keys(raw)
      .filter((key) => !sceneControls.has(key))
      .map((key) => [key, key === 'duration' ? this.#timings?.property('scene', scene, key) : filling.property('scene', key, raw[key], joinPath(path, key))]);
    const hasElements = Object.hasOwn(raw, 'elements') || scene.elements.length > 0;
    const value = Object.fromEntries([...entries, ...(hasElements ? [['elements', own.value]] : [])]);
    return { value, source: { path, label, elements: own.places, ...(item !== undefined && { item }) } };
  }

  #writeElements(container: Container): { value: unknown; places: ExpandedElement[] } {
    if (container.misplaced !== undefined) return { value: container.misplaced, places: [] };
    const included = container.elements.filter((element) => element.raw === undefined || this.#timings?.isIncluded(element));
    const written = included.map(({ path, label, ...element }) => {
      if (element.raw === undefined) return { value: element.value, place: { path, label } };
      const members = element.members && this.#writeElements(element.members);
      return { value: this.#writeElement({ path, label, ...element }, members?.value), place: { path, label, ...(members && { members: members.places }) } };
    });
    return { value: written.map(({ value }) => value), places: written.map(({ place }) => place) };
  }

  /** `members`: the elements of a group. */
  #writeElement({ raw, evaluator: filling, ...place }: ElementInstance, members: unknown): Raw {
    const type = filling.fill(ownValue(raw, 'type'), joinPath(place.path, 'type'));
    const part = typeof type === 'string' ? type : '';
    return Object.fromEntries(
      Object.keys(raw)
        .filter((key) => !elementControls.has(key))
        .map((key) => {
          if (key === 'elements' && members !== undefined) return [key, members];
          if (timedProperties.has(key)) return [key, this.#timings?.property(part, { raw, evaluator: filling, ...place }, key)];
          return [key, filling.property(part, key, raw[key], joinPath(place.path, key))];
        }),
    );
  }
}

/** A value that is not a scene; the schema rejects it later. */
interface MisplacedScene extends Origin {
  raw: undefined;
  value: unknown;
}

/** Runs `expand` and adds the item of the iteration to the messages of its errors. */
export function withItemContext<T>(item: Container['item'], expand: () => T): T {
  if (item === undefined) return expand();
  try {
    return expand();
  } catch (error) {
    throw error instanceof ScriptError ? error.with({ message: `${error.message} (Item ${item.index + 1} of ${show(item.of)}.)` }) : error;
  }
}
