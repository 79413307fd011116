import { Content } from '../content.js';
import { DEFAULT_SCENE_SECONDS, IMAGE_SECONDS, playedSeconds, TEXT_SECONDS } from '../durations.js';
import type { ComponentChecker } from '../elements/context.js';
import { type Lookup, numberOf } from '../expressions/index.js';
import { generationKey } from '../generation.js';
import { DEFAULT_VOICE_MODEL, estimateSpeechSeconds, SILENT_MODEL, speechKey } from '../speech-length.js';
import { fail, joinPath, show } from '../validation/fail.js';
import { type Container, type ElementInstance, isRecord, own, type Raw } from './instances.js';

/** The whole length in seconds of the media at a URL, or of what a voice says by its speechKey; undefined when it is not known. */
export type MediaSeconds = (src: string) => number | undefined;

/** What a script's times may hang on beside itself. */
export interface Lengths {
  mediaSeconds: MediaSeconds;
  /** As ComponentChecker has it. */
  componentSeconds?: ComponentChecker['secondsOf'];
}

/** Times that wait for each other; each takes its part of the stack. */
const MAX_WAITING = 64;
const MAX_IN_SEQUENCE = 500;

/** Least value of a time, while it is worked out with lengths that are only estimated. */
const leastValues: Readonly<Record<string, number>> = { start: 0, duration: 1, 'extra-time': 0, extra_time: 0 };

/** Kinds whose duration is -2 when none is given. */
const lastsAsItsContainer: ReadonlySet<unknown> = new Set(['text', 'html', 'component', 'audiogram', 'subtitles']);

/** Kinds without a length of their own. */
const lengthless: ReadonlySet<unknown> = new Set(['image', 'html']);

interface Timed extends ElementInstance {
  container: Container;
  index: number;
}

/**
 * The variables ID_start, ID_end, ID_duration and ID_extratime of elements, worked out when something asks for
 * them, by the rules of resolveDurations(). Times that wait for themselves are refused.
 */
export class Timings {
  readonly #movie: Container;
  readonly #scenes: readonly Container[];
  readonly #lengths: Lengths;
  readonly #known = new Map<string, { value: unknown; estimated: boolean }>();
  readonly #waiting: Array<{ key: string; name: string }> = [];
  #names: Map<Container | undefined, Map<string, Timed[]>> | undefined;
  #estimated = false;

  constructor(movie: Container, scenes: readonly Container[], lengths: Lengths) {
    this.#movie = movie;
    this.#scenes = scenes;
    this.#lengths = lengths;
  }

  /** The variables as seen in a scene, or in the movie: elements beside come before those elsewhere. */
  scopeIn(container: () => Container): Lookup {
    return (name) => {
      const [, id, kind] = /^(.{1,200})_(start|end|duration|extratime)$/su.exec(name) ?? [];
      if (id === undefined || kind === undefined) return undefined;
      const element = this.#find(id, container());
      return element === undefined ? undefined : { value: this.#timeOf(element, kind) };
    };
  }

  /** Whether anything so far needed a length that only the media can tell. */
  get areEstimated(): boolean {
    return this.#estimated;
  }

  isKept(element: ElementInstance): boolean {
    return this.#once(`${element.label} condition`, 'condition', element, () => element.filling.holds(element.raw, element.path));
  }

  /** A property of an element or a scene that times hang on. */
  property(part: string, place: Container | ElementInstance, key: string): unknown {
    const given = place.raw[key];
    if (typeof given !== 'string') return given;
    return this.#once(`${place.label} ${key}`, key, place, () => {
      const value = place.filling.property(part, key, given, joinPath(place.path, key));
      const number = numberOf(value);
      const least = leastValues[key];
      return this.#estimated && number !== undefined && least !== undefined && number < least ? least : value;
    });
  }

  #timeOf(element: Timed, kind: string): number {
    if (kind === 'start') return this.#start(element);
    if (kind === 'duration') return this.#duration(element);
    if (kind === 'extratime') return this.#extraTime(element);
    return round(this.#start(element) + this.#duration(element) + (this.#given(element) === -2 ? 0 : this.#extraTime(element)));
  }

  #start(element: Timed): number {
    const start = this.#number(element, ['start'], 0);
    return start === -1 ? this.#contentEnd(element.container, element.index) : start;
  }

  #extraTime(element: Timed): number {
    return this.#number(element, ['extra_time', 'extra-time'], 0);
  }

  #given(element: Timed): number {
    return this.#number(element, ['duration'], lastsAsItsContainer.has(own(element.raw, 'type')) ? -2 : -1);
  }

  #duration(element: Timed): number {
    return this.#ownLength(element) || round(Math.max(0, this.#containerSeconds(element.container) - this.#start(element)));
  }

  /** Without extra time; 0: as long as the container. */
  #ownLength(element: Timed): number {
    const given = this.#given(element);
    if (given > 0) return given;
    if (given === -2) return 0;
    const type = own(element.raw, 'type');
    if (type === 'text') return Number(own(TEXT_SECONDS, String(this.#field(element, 'style') ?? '001')) ?? 0);
    if (lengthless.has(type)) return IMAGE_SECONDS;
    if (type === 'component') return this.#componentSeconds(element);
    if (type === 'audiogram' || type === 'subtitles') return 0;
    if (type === 'voice') return this.#spokenSeconds(element);
    const src = this.#source(element);
    const media = src === undefined ? undefined : this.#lengths.mediaSeconds(src);
    if (media === undefined) this.#estimated = true;
    return round(playedSeconds({ seek: this.#number(element, ['seek'], 0), loop: this.#number(element, ['loop'], 1) }, media));
  }

  #componentSeconds(element: Timed): number {
    const component = this.#field(element, 'component');
    const settings = (): Raw => {
      const path = joinPath(element.path, 'settings');
      const filled = this.#once(`${element.label} settings`, 'settings', element, () => element.filling.fill(own(element.raw, 'settings'), path));
      return isRecord(filled) ? filled : {};
    };
    return (typeof component === 'string' ? this.#lengths.componentSeconds?.(component, settings) : undefined) || IMAGE_SECONDS;
  }

  /** As parseSource() has it. */
  #source(element: Timed): string | undefined {
    const src = this.#field(element, 'src');
    if (typeof src === 'string' && src !== '') return src;
    const prompt = this.#field(element, 'prompt');
    if (own(element.raw, 'type') !== 'video' || typeof prompt !== 'string') return undefined;
    const [model, connection] = ['model', 'connection'].map((key) => this.#field(element, key));
    const settings = element.filling.fill(own(element.raw, 'model_settings', 'model-settings'), joinPath(element.path, 'model-settings'));
    const aspectRatio = this.#field(element, 'aspect_ratio') ?? this.#field(element, 'aspect-ratio');
    return generationKey({ kind: 'video', prompt: prompt.trim(), model, connection, aspectRatio, modelSettings: settings });
  }

  #spokenSeconds(element: Timed): number {
    const text = (key: string): string => String(this.#field(element, key) ?? '');
    const model = text('model') || DEFAULT_VOICE_MODEL;
    if (model === SILENT_MODEL) return 0;
    const speed = this.#number(element, ['speed'], 1) || 1;
    const spoken = this.#lengths.mediaSeconds(speechKey({ text: text('text'), model, voice: text('voice'), language: text('language'), speed }));
    if (spoken !== undefined) return round(spoken);
    this.#estimated = true;
    return round(estimateSpeechSeconds(text('text'), speed));
  }

  /** What lasts how long in a container, up to one of its elements. */
  #content(container: Container, before?: number): Content {
    const content = new Content();
    for (const element of this.#timed(container, before)) {
      const chained = this.#number(element, ['start'], 0) === -1;
      if (chained) content.settle();
      const length = this.#ownLength(element);
      if (length === 0) continue;
      const yields = !chained && this.#given(element) === -1 && lengthless.has(own(element.raw, 'type'));
      content.add({ start: this.#start(element), length: length + this.#extraTime(element), yields });
    }
    return content;
  }

  /** Where an element that starts at -1 starts: when those before it have ended. */
  #contentEnd(container: Container, before: number): number {
    return this.#once(`${container.label} content ${before}`, 'start', container, () => {
      if (before > MAX_IN_SEQUENCE) fail(joinPath(container.path, 'elements'), `elements must be an array of at most ${MAX_IN_SEQUENCE} items.`);
      return this.#content(container, before).end();
    });
  }

  #containerSeconds(container: Container): number {
    return this.#once(`${container.label} seconds`, 'duration', container, () => {
      if (container === this.#movie) {
        const { endWithoutPictures } = this.#content(container);
        return Math.max(endWithoutPictures, sum(this.#scenes.map((scene) => this.#containerSeconds(scene))));
      }
      const given = numberOf(this.property('scene', container, 'duration'));
      return given !== undefined && given > 0 ? given : this.#content(container).end() || DEFAULT_SCENE_SECONDS;
    });
  }

  #field(element: Timed, key: string): unknown {
    const value = this.property(String(own(element.raw, 'type')), element, key);
    return value === null ? undefined : value;
  }

  #number(element: Timed, keys: readonly string[], absent: number): number {
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

  #timed(container: Container, before = container.elements.length): Timed[] {
    return container.elements
      .slice(0, before)
      .map((element, index) => ({ ...element, container, index }))
      .filter((element): element is Timed => element.raw !== undefined && this.isKept(element as Timed));
  }

  #find(id: string, container: Container): Timed | undefined {
    this.#names ??= nameElements([...this.#scenes, this.#movie]);
    for (const place of [container, undefined]) {
      const found = this.#names
        .get(place)
        ?.get(id)
        ?.find((element) => this.isKept(element));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Works a value out once, remembers whether it rests on an estimate, and notices when it waits for itself. */
  #once<T>(key: string, name: string, place: { path: string; raw: Raw }, compute: () => T): T {
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.#estimated ||= known.estimated;
      return known.value as T;
    }
    const waitingAt = this.#waiting.findIndex((waiting) => waiting.key === key);
    const entry = { key, name: `${name} of ${show(own(place.raw, 'id') ?? place.path)}` };
    if (waitingAt !== -1) {
      const circle = [...this.#waiting.slice(waitingAt), entry].map((waiting) => waiting.name);
      fail(joinPath(place.path, name), `Times wait for each other in a circle: ${circle.slice(0, 8).join(' needs ')}.`);
    }
    if (this.#waiting.length >= MAX_WAITING) fail(joinPath(place.path, name), `Times wait for each other over more than ${MAX_WAITING} steps.`);
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

/** Elements by id: of each container, and under undefined of all. */
function nameElements(containers: readonly Container[]): Map<Container | undefined, Map<string, Timed[]>> {
  const names = new Map<Container | undefined, Map<string, Timed[]>>([[undefined, new Map()]]);
  for (const container of containers) {
    names.set(container, new Map());
    for (const [index, element] of container.elements.entries()) {
      const id = element.raw === undefined ? undefined : own(element.raw, 'id');
      if (element.raw === undefined || (typeof id !== 'string' && typeof id !== 'number')) continue;
      for (const place of [container, undefined]) {
        const named = names.get(place)?.get(String(id)) ?? [];
        named.push({ ...element, container, index });
        names.get(place)?.set(String(id), named);
      }
    }
  }
  return names;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Sums of decimals, without the error of their last digits. */
function round(seconds: number): number {
  return Math.round(seconds * 1e9) / 1e9;
}
