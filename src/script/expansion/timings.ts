import { ContainerLength } from '../container-length.js';
import { DEFAULT_IMAGE_SECONDS, DEFAULT_SCENE_SECONDS, playbackSeconds, TEXT_STYLE_SECONDS } from '../durations.js';
import type { ComponentChecker } from '../elements/context.js';
import { type Lookup, numberOf } from '../expressions/index.js';
import { generationKey } from '../generation.js';
import type { PlaybackSpeed } from '../playback.js';
import { isObject, type Raw } from '../raw.js';
import { DEFAULT_VOICE_MODEL, estimateSpeechSeconds, SILENT_MODEL, speechKey } from '../speech-length.js';
import { fail, joinPath, show } from '../validation/fail.js';
import { type Container, type ElementInstance, ownValue } from './instances.js';
import { loosePlayback } from './loose-playback.js';

/** Returns the duration in seconds of the media at a URL, or of a voice by its speechKey; undefined if unknown. */
export type MediaSeconds = (src: string) => number | undefined;

/** Durations that the times of a script may depend on. */
export interface DurationSources {
  mediaSeconds: MediaSeconds;
  /** See ComponentChecker. */
  componentSeconds?: ComponentChecker['secondsOf'];
}

/** Maximum depth of dependent times, which are evaluated recursively. */
const MAX_DEPENDENCY_DEPTH = 64;
const MAX_IN_SEQUENCE = 500;

/** Minimum values of times that are computed from estimated durations. */
const minEstimatedValues: Readonly<Record<string, number>> = { start: 0, duration: 1, 'extra-time': 0, extra_time: 0 };

/** Types with a default duration of -2. */
const fillsContainer: ReadonlySet<unknown> = new Set(['text', 'html', 'component', 'audiogram', 'subtitles']);

/** Types without a natural duration. */
const hasNoLength: ReadonlySet<unknown> = new Set(['image', 'html']);

interface TimedElement extends ElementInstance {
  container: Container;
  index: number;
}

/**
 * The variables ID_start, ID_end, ID_duration and ID_extratime of elements, evaluated on demand by the rules of
 * resolveDurations(). Circular dependencies throw SCHEMA_VALIDATION_ERROR.
 */
export class Timings {
  readonly #movie: Container;
  readonly #scenes: readonly Container[];
  readonly #lengths: DurationSources;
  readonly #known = new Map<string, { value: unknown; estimated: boolean }>();
  readonly #waiting: Array<{ key: string; name: string }> = [];
  #names: Map<Container | undefined, Map<string, TimedElement[]>> | undefined;
  #groups: Map<Container, TimedElement> | undefined;
  #estimated = false;

  constructor(movie: Container, scenes: readonly Container[], lengths: DurationSources) {
    this.#movie = movie;
    this.#scenes = scenes;
    this.#lengths = lengths;
  }

  /** Scope of the variables in a scene or the movie: its own elements win over others with the same id. */
  scopeIn(container: () => Container): Lookup {
    return (name) => {
      const [, id, kind] = /^(.{1,200})_(start|end|duration|extratime)$/su.exec(name) ?? [];
      if (id === undefined || kind === undefined) return undefined;
      const element = this.#find(id, container());
      return element === undefined ? undefined : { value: this.#timeOf(element, kind) };
    };
  }

  /** Whether a value so far depended on an unknown media duration. */
  get isEstimated(): boolean {
    return this.#estimated;
  }

  /** Whether the element's condition is met. */
  isIncluded(element: ElementInstance): boolean {
    return this.#once(`${element.label} condition`, 'condition', element, () => element.evaluator.isConditionMet(element.raw, element.path));
  }

  /** Evaluates a property of an element or scene that times may depend on. */
  property(part: string, place: Container | ElementInstance, key: string): unknown {
    const given = place.raw[key];
    if (typeof given !== 'string') return given;
    return this.#once(`${place.label} ${key}`, key, place, () => {
      const value = place.evaluator.property(part, key, given, joinPath(place.path, key));
      const number = numberOf(value);
      const minimum = minEstimatedValues[key];
      return this.#estimated && number !== undefined && minimum !== undefined && number < minimum ? minimum : value;
    });
  }

  #timeOf(element: TimedElement, kind: string): number {
    if (kind === 'start') return this.#start(element);
    if (kind === 'duration') return this.#duration(element);
    if (kind === 'extratime') return this.#extraTime(element);
    return round(this.#start(element) + this.#duration(element) + (this.#given(element) === -2 ? 0 : this.#extraTime(element)));
  }

  #start(element: TimedElement): number {
    const start = this.#number(element, ['start'], 0);
    return start === -1 ? this.#contentEnd(element.container, element.index) : start;
  }

  #extraTime(element: TimedElement): number {
    return this.#number(element, ['extra_time', 'extra-time'], 0);
  }

  #given(element: TimedElement): number {
    return this.#number(element, ['duration'], fillsContainer.has(ownValue(element.raw, 'type')) ? -2 : -1);
  }

  #duration(element: TimedElement): number {
    return this.#ownLength(element) || round(Math.max(0, this.#containerSeconds(element.container) - this.#start(element)));
  }

  /** Duration without extra time; 0: as long as the container. */
  #ownLength(element: TimedElement): number {
    const given = this.#given(element);
    if (given > 0) return given;
    if (given === -2) return 0;
    const type = ownValue(element.raw, 'type');
    if (type === 'text') return Number(ownValue(TEXT_STYLE_SECONDS, String(this.#field(element, 'style') ?? '001')) ?? 0);
    if (hasNoLength.has(type)) return DEFAULT_IMAGE_SECONDS;
    if (type === 'component') return this.#componentSeconds(element);
    if (type === 'audiogram' || type === 'subtitles') return 0;
    if (type === 'group') return element.members === undefined ? 0 : this.#content(element.members).endWithoutImages;
    if (type === 'voice') return this.#spokenSeconds(element);
    const src = this.#source(element);
    const media = src === undefined ? undefined : this.#lengths.mediaSeconds(src);
    if (media === undefined) this.#estimated = true;
    const [seek, loop] = [this.#number(element, ['seek'], 0), this.#number(element, ['loop'], 1)];
    return round(playbackSeconds({ seek, loop, ...this.#playback(element) }, media));
  }

  #playback(element: TimedElement): PlaybackSpeed {
    const filled = (key: string): unknown =>
      this.#once(`${element.label} ${key} filled`, key, element, () => element.evaluator.fill(ownValue(element.raw, key), joinPath(element.path, key)));
    return loosePlayback(filled('speed'), filled('freeze'));
  }

  #componentSeconds(element: TimedElement): number {
    const component = this.#field(element, 'component');
    const settings = (): Raw => {
      const path = joinPath(element.path, 'settings');
      const filled = this.#once(`${element.label} settings`, 'settings', element, () => element.evaluator.fill(ownValue(element.raw, 'settings'), path));
      return isObject(filled) ? filled : {};
    };
    return (typeof component === 'string' ? this.#lengths.componentSeconds?.(component, settings) : undefined) || DEFAULT_IMAGE_SECONDS;
  }

  /** The source of a media element, as in parseSource(). */
  #source(element: TimedElement): string | undefined {
    const src = this.#field(element, 'src');
    if (typeof src === 'string' && src !== '') return src;
    const prompt = this.#field(element, 'prompt');
    if (ownValue(element.raw, 'type') !== 'video' || typeof prompt !== 'string') return undefined;
    const [model, connection] = ['model', 'connection'].map((key) => this.#field(element, key));
    const settings = element.evaluator.fill(ownValue(element.raw, 'model_settings', 'model-settings'), joinPath(element.path, 'model-settings'));
    const aspectRatio = this.#field(element, 'aspect_ratio') ?? this.#field(element, 'aspect-ratio');
    return generationKey({ kind: 'video', prompt: prompt.trim(), model, connection, aspectRatio, modelSettings: settings });
  }

  #spokenSeconds(element: TimedElement): number {
    const text = (key: string): string => String(this.#field(element, key) ?? '');
    const model = text('model') || DEFAULT_VOICE_MODEL;
    if (model === SILENT_MODEL) return 0;
    const speed = this.#number(element, ['speed'], 1) || 1;
    const spoken = this.#lengths.mediaSeconds(speechKey({ text: text('text'), model, voice: text('voice'), language: text('language'), speed }));
    if (spoken !== undefined) return round(spoken);
    this.#estimated = true;
    return round(estimateSpeechSeconds(text('text'), speed));
  }

  /** The content of a container up to the element with index `before`. */
  #content(container: Container, before?: number): ContainerLength {
    const content = new ContainerLength();
    for (const element of this.#timed(container, before)) {
      const chained = this.#number(element, ['start'], 0) === -1;
      if (chained) content.resolveFlexible();
      const length = this.#ownLength(element);
      if (length === 0) continue;
      const isFlexible = !chained && this.#given(element) === -1 && hasNoLength.has(ownValue(element.raw, 'type'));
      content.add({ start: this.#start(element), length: length + this.#extraTime(element), isFlexible });
    }
    return content;
  }

  /** Start of an element with start -1: the end of those before it. */
  #contentEnd(container: Container, before: number): number {
    return this.#once(`${container.label} content ${before}`, 'start', container, () => {
      if (before > MAX_IN_SEQUENCE) fail(joinPath(container.path, 'elements'), `elements must be an array of at most ${MAX_IN_SEQUENCE} items.`);
      return this.#content(container, before).end();
    });
  }

  #containerSeconds(container: Container): number {
    return this.#once(`${container.label} seconds`, 'duration', container, () => {
      if (container === this.#movie) {
        const scenes = this.#scenes.reduce((total, scene) => total + this.#containerSeconds(scene), 0);
        return Math.max(this.#content(container).endWithoutImages, scenes);
      }
      this.#groups ??= groupsIn([...this.#scenes, this.#movie]);
      const group = this.#groups.get(container);
      if (group !== undefined) return this.#duration(group);
      const given = numberOf(this.property('scene', container, 'duration'));
      return given !== undefined && given > 0 ? given : this.#content(container).end() || DEFAULT_SCENE_SECONDS;
    });
  }

  #field(element: TimedElement, key: string): unknown {
    const value = this.property(String(ownValue(element.raw, 'type')), element, key);
    return value === null ? undefined : value;
  }

  #number(element: TimedElement, keys: readonly string[], absent: number): number {
    for (const key of keys) {
      const value = Object.hasOwn(element.raw, key) ? this.#field(element, key) : undefined;
      if (value === undefined) continue;
      if (key === 'loop' && typeof value === 'boolean') return value ? -1 : 1;
      const number = numberOf(value);
      if (number === undefined || !Number.isFinite(number)) fail(joinPath(element.path, key), `${key} must be a number, not ${show(value)}.`);
      return number;
    }
    return absent;
  }

  #timed(container: Container, before = container.elements.length): TimedElement[] {
    return container.elements
      .slice(0, before)
      .map((element, index) => ({ ...element, container, index }))
      .filter((element): element is TimedElement => element.raw !== undefined && this.isIncluded(element as TimedElement));
  }

  #find(id: string, container: Container): TimedElement | undefined {
    this.#names ??= indexById([...this.#scenes, this.#movie]);
    for (const place of [container, undefined]) {
      const found = this.#names
        .get(place)
        ?.get(id)
        ?.find((element) => this.isIncluded(element));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Computes a value once, records whether it depends on an estimate, and detects circular dependencies. */
  #once<T>(key: string, name: string, place: { path: string; raw: Raw }, compute: () => T): T {
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.#estimated ||= known.estimated;
      return known.value as T;
    }
    const waitingAt = this.#waiting.findIndex((waiting) => waiting.key === key);
    const entry = { key, name: `${name} of ${show(ownValue(place.raw, 'id') ?? place.path)}` };
    if (waitingAt !== -1) {
      const circle = [...this.#waiting.slice(waitingAt), entry].map((waiting) => waiting.name);
      fail(joinPath(place.path, name), `Times depend on each other in a circle: ${circle.slice(0, 8).join(' needs ')}.`);
    }
    if (this.#waiting.length >= MAX_DEPENDENCY_DEPTH)
      fail(joinPath(place.path, name), `Times depend on each other over more than ${MAX_DEPENDENCY_DEPTH} steps.`);
    const before = this.#estimated;
    this.#estimated = false;
    this.#waiting.push(entry);
    try {
      const value = compute();
      this.#known.set(key, { value, estimated: this.#estimated });
      return value;
    } finally {
      this.#waiting.pop();
      this.#estimated ||= before;
    }
  }
}

/** Elements by id, per container and, under `undefined`, in all containers. */
function indexById(containers: readonly Container[]): Map<Container | undefined, Map<string, TimedElement[]>> {
  const names = new Map<Container | undefined, Map<string, TimedElement[]>>([[undefined, new Map()]]);
  for (const container of containers) names.set(container, new Map());
  for (const { outer, ...element } of containers.flatMap((container) => elementsIn(container))) {
    const id = ownValue(element.raw, 'id');
    if (typeof id !== 'string' && typeof id !== 'number') continue;
    for (const place of [outer, undefined]) {
      const named = names.get(place)?.get(String(id)) ?? [];
      named.push(element);
      names.get(place)?.set(String(id), named);
    }
  }
  return names;
}

/** The elements of a scene or movie and of their groups; `outer` is the scene or movie. */
function elementsIn(container: Container, outer = container): Array<TimedElement & { outer: Container }> {
  return container.elements.flatMap((element, index) => {
    if (element.raw === undefined) return [];
    const timed = { ...element, container, index, outer };
    return element.members === undefined ? [timed] : [timed, ...elementsIn(element.members, outer)];
  });
}

/** The groups by their members. */
function groupsIn(containers: readonly Container[]): Map<Container, TimedElement> {
  return new Map(
    containers.flatMap((container) => elementsIn(container)).flatMap((element) => (element.members === undefined ? [] : [[element.members, element] as const])),
  );
}

/** Removes floating-point errors from sums of decimals. */
function round(seconds: number): number {
  return Math.round(seconds * 1e9) / 1e9;
}
