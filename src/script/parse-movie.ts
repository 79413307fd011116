import { resolveDurations } from './durations.js';
import { type CheckGeneration, type CheckUrl, type ComponentChecker, type ElementContext, parseElements } from './elements/index.js';
import { expandScript, type MediaSeconds, needsExpansion, restorePaths, withOriginalPaths } from './expansion/index.js';
import { normalizeCssNames } from './json2video/css-names.js';
import { dropEmptyValues } from './json2video/empty-values.js';
import { parseTypedStrings } from './json2video/typed-strings.js';
import type { Movie, Quality } from './movie.js';
import { parseScene } from './scenes.js';
import { hasPlaceholder } from './substitute.js';
import { parseCache } from './validation/cache.js';
import { withSourceText, withVariableHints } from './validation/error-hints.js';
import { fail, joinPath } from './validation/fail.js';
import { Fields } from './validation/fields.js';
import { schemaErrors, schemaPart } from './validation/schema.js';
import { createSchemaError } from './validation/schema-errors.js';
import { parseFrameRate, parseSize } from './values/canvas.js';
import { parseCodec } from './values/codec.js';

/** Longest movie, in seconds. */
export const MAX_MOVIE_SECONDS = 14_400;

/** In all scenes together. */
const MAX_ELEMENTS = 10_000;

/** Deeper documents overflow the stack of whoever serialises them later. */
const MAX_DEPTH = 64;

export interface ParseMovieOptions {
  /** Policy on media and webhook URLs: the reason why one is refused, or undefined. Default: any http or https URL. */
  checkUrl?: CheckUrl;
  /** Whether pictures and films can be made from prompts. Default: nobody asks. */
  checkGeneration?: CheckGeneration;
  /** Lengths of media, for scripts that compute with them. Without it such a Movie is an estimate. */
  mediaSeconds?: MediaSeconds;
  /** The installed components. Without it their settings are not looked at. */
  components?: ComponentChecker;
}

/** A client's script as a Movie. Throws AppError SCHEMA_VALIDATION_ERROR naming the first wrong field. */
export function parseMovie(script: unknown, options: ParseMovieOptions = {}): Movie {
  checkDepth(script);
  if (!needsExpansion(script)) return parseExpanded(script, options);
  const expansion = expandScript(script, durationSources(options));
  checkDepth(expansion.script);
  const movie = withSourceText(script, () => withOriginalPaths(expansion, () => parseExpanded(expansion.script, options, variableNames(script.variables))));
  restorePaths(expansion, movie);
  return expansion.isEstimated ? { ...movie, isEstimated: true } : movie;
}

function durationSources({ mediaSeconds, components }: ParseMovieOptions): Parameters<typeof expandScript>[1] {
  return {
    ...(mediaSeconds !== undefined && { mediaSeconds }),
    ...(components?.secondsOf !== undefined && { componentSeconds: (name, settings) => components.secondsOf?.(name, settings) }),
  };
}

/** A script in which nothing is left to work out. */
function parseExpanded(given: unknown, options: ParseMovieOptions, variables: readonly string[] = []): Movie {
  const script = normalizeCssNames(parseTypedStrings(dropEmptyValues(given)));
  return withVariableHints(script, variables, () => read(script, options));
}

function variableNames(variables: unknown): string[] {
  return typeof variables === 'object' && variables !== null ? Object.keys(variables).filter((name) => !/^[@?]/.test(name)) : [];
}

function read(script: unknown, options: ParseMovieOptions): Movie {
  const errors = schemaErrors(script);
  if (errors.length > 0) throw createSchemaError(errors);
  const object = script as Record<string, unknown>;
  const fields = new Fields({ object, path: '', schema: schemaPart('') });
  const size = parseSize(fields);
  const context: ElementContext = {
    canvas: size,
    checkUrl: rejectPlaceholders(options.checkUrl ?? checkWebUrl),
    ...(options.checkGeneration === undefined ? {} : { checkGeneration: options.checkGeneration }),
    ...(options.components === undefined ? {} : { components: options.components }),
  };
  const scenes = (fields.find('scenes')?.value ?? []) as Array<Record<string, unknown>>;
  checkCount(scenes);
  const webhookUri = parseWebhook(fields, context.checkUrl);
  const { id } = object;
  const loudness = fields.optionalNumber('loudness');
  const clientData = fields.find('client-data')?.value;
  const movie: Movie = {
    ...size,
    fps: parseFrameRate(fields.number('fps')),
    codec: parseCodec(fields, size),
    quality: fields.string('quality') as Quality,
    ...(loudness === undefined ? {} : { loudness }),
    ...parseCache(fields),
    scenes: scenes.map((scene, index) => parseScene(scene, joinPath('scenes', index), context)),
    elements: parseElements(fields.find('elements')?.value, 'elements', context),
    exports: (fields.find('exports')?.value ?? []) as unknown[],
    ...(webhookUri === undefined ? {} : { webhookUri }),
    ...(typeof id === 'string' && { id }),
    ...(clientData === undefined ? {} : { clientData }),
  };
  checkLength(movie);
  return movie;
}

/** An address that a variable is missing of leads nowhere. */
function rejectPlaceholders(checkUrl: CheckUrl): CheckUrl {
  return (url) => (hasPlaceholder(url) ? 'a variable of it is not given' : checkUrl(url));
}

/** The default policy: a web address, whatever it points to. */
export function checkWebUrl(url: string): string | undefined {
  const scheme = URL.canParse(url) ? new URL(url).protocol : undefined;
  return scheme === 'http:' || scheme === 'https:' ? undefined : 'it must be an http or https URL';
}

function parseWebhook(fields: Fields, checkUrl: CheckUrl): string | undefined {
  const found = fields.find('webhook_uri');
  if (found === undefined) return undefined;
  const url = String(found.value);
  const reason = checkWebUrl(url) ?? checkUrl(url);
  return reason === undefined ? url : fail(found.path, `webhook_uri is refused: ${reason}.`);
}

export function checkDepth(script: unknown): void {
  const open: Array<{ value: unknown; depth: number }> = [{ value: script, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth > MAX_DEPTH) fail('', `The movie script must not be nested more than ${MAX_DEPTH} levels deep.`);
    for (const value of Object.values(next.value)) open.push({ value, depth: next.depth + 1 });
  }
}

function checkCount(scenes: ReadonlyArray<Record<string, unknown>>): void {
  let count = 0;
  for (const [index, { elements }] of scenes.entries()) {
    count += Array.isArray(elements) ? elements.length : 0;
    if (count > MAX_ELEMENTS) fail(joinPath(joinPath('scenes', index), 'elements'), `The scenes must not have more than ${MAX_ELEMENTS} elements together.`);
  }
}

/** By what is certain from the script; lengths that only the media can tell count nothing here. */
function checkLength(movie: Movie): void {
  const { totalFrames, scenes } = resolveDurations(movie, () => 0);
  const limit = (MAX_MOVIE_SECONDS * movie.fps.num) / movie.fps.den + 0.5;
  if (totalFrames <= limit) return;
  const index = scenes.findIndex(({ startFrame, frames }) => startFrame + frames > limit);
  fail(index === -1 ? 'elements' : joinPath('scenes', index), `The movie must not last more than ${MAX_MOVIE_SECONDS} seconds.`);
}
