import { joinMorphs } from './animation/join-morphs.js';
import { resolveDurations } from './durations.js';
import { type CheckGeneration, type CheckUrl, type ComponentChecker, type ElementContext, parseElements, parseMotionBlur } from './elements/index.js';
import { expandScript, type MediaSeconds, needsExpansion, restorePaths, withOriginalPaths } from './expansion/index.js';
import { normalizeJson2Video } from './json2video/index.js';
import type { Movie, Quality } from './movie.js';
import { checkOutputs, parseOutputs, parsePrecision } from './outputs/index.js';
import { parseScene } from './scenes.js';
import { hasPlaceholder } from './substitute.js';
import { defaultTheme, parseTheme } from './theme.js';
import { parseCache } from './validation/cache.js';
import { withSourceText, withVariableHints } from './validation/error-hints.js';
import { fail, joinPath } from './validation/fail.js';
import { Fields } from './validation/fields.js';
import { schemaErrors, schemaPart } from './validation/schema.js';
import { createSchemaError } from './validation/schema-errors.js';
import { parseFrameRate, parseSize } from './values/canvas.js';
import { parseCodec } from './values/codec.js';

/** Maximum duration of a movie, in seconds. */
export const MAX_MOVIE_SECONDS = 14_400;

/** Maximum number of elements in all scenes together. */
const MAX_ELEMENTS = 10_000;
const MAX_GRADES = 100;

/** Maximum nesting; deeper documents could overflow the stack when serialized. */
const MAX_DEPTH = 64;

/** Policies and metadata that parsing depends on. */
export interface ParseMovieOptions {
  /** Policy on media and webhook URLs: returns the reason for a rejection, or undefined. Default: accepts http and https. */
  checkUrl?: CheckUrl;
  /** Policy on generated images and videos. Default: accepts all. */
  checkGeneration?: CheckGeneration;
  /** Durations of media, for scripts whose expressions use them. Without it such a Movie is an estimate. */
  mediaSeconds?: MediaSeconds;
  /** Installed components. Without it component settings are not validated. */
  components?: ComponentChecker;
}

/** Parses a client's script into a Movie. Throws AppError SCHEMA_VALIDATION_ERROR with the path of the first invalid field. */
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

/** Parses a script without expressions. */
function parseExpanded(given: unknown, options: ParseMovieOptions, variables: readonly string[] = []): Movie {
  const script = normalizeJson2Video(given);
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
  context.theme = parseTheme(fields, defaultTheme, context.checkUrl);
  context.motionBlur = parseMotionBlur(fields) ?? 0;
  const scenes = (fields.find('scenes')?.value ?? []) as Array<Record<string, unknown>>;
  checkCount(scenes);
  const webhookUri = parseWebhook(fields, context.checkUrl);
  const { id } = object;
  const loudness = fields.optionalNumber('loudness');
  const clientData = fields.find('client-data')?.value;
  const precision = parsePrecision(fields);
  const codec = parseCodec(fields, size, precision.bitDepth === 10 ? 'hevc' : 'h264');
  const video = { ...size, fps: parseFrameRate(fields.number('fps')), codec, quality: fields.string('quality') as Quality };
  const background = fields.color('background');
  const movie: Movie = {
    ...video,
    outputs: parseOutputs(fields, { ...video, precision }),
    ...(loudness === undefined ? {} : { loudness }),
    ...parseCache(fields),
    scenes: joinMorphs(scenes.map((scene, index) => parseScene(scene, joinPath('scenes', index), { ...context, background }))),
    elements: parseElements(fields.find('elements')?.value, 'elements', context),
    exports: (fields.find('exports')?.value ?? []) as unknown[],
    ...(webhookUri === undefined ? {} : { webhookUri }),
    ...(typeof id === 'string' && { id }),
    ...(clientData === undefined ? {} : { clientData }),
  };
  checkLength(movie);
  checkGrades(movie);
  checkOutputs(movie);
  return movie;
}

/** Rejects URLs in which a placeholder was not filled. */
function rejectPlaceholders(checkUrl: CheckUrl): CheckUrl {
  return (url) => (hasPlaceholder(url) ? 'it contains a variable that is not given' : checkUrl(url));
}

/** The default URL policy: accepts any http or https URL, returns the reason otherwise. */
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

/** Throws SCHEMA_VALIDATION_ERROR when the script is nested too deeply. */
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
    count += countElements(elements);
    if (count > MAX_ELEMENTS) fail(joinPath(joinPath('scenes', index), 'elements'), `The scenes must not have more than ${MAX_ELEMENTS} elements together.`);
  }
}

/** The elements of a list and those of its groups. */
function countElements(list: unknown): number {
  return Array.isArray(list) ? list.reduce<number>((count, element: Record<string, unknown> | null) => count + 1 + countElements(element?.elements), 0) : 0;
}

/** Each grade is a table of 1.6 MB. */
function checkGrades({ scenes, elements }: Movie): void {
  const grades = new Set<string>();
  for (const element of [...scenes.flatMap((scene) => scene.elements), ...elements]) {
    if (!('grade' in element) || element.grade === undefined) continue;
    grades.add(JSON.stringify(element.grade));
    if (grades.size > MAX_GRADES)
      fail(element.path, `The elements must not have more than ${MAX_GRADES} different grades (white_balance, curves, lut) together.`);
  }
}

/** Checks the maximum duration; media of unknown duration counts 0. */
function checkLength(movie: Movie): void {
  const { totalFrames, scenes } = resolveDurations(movie, () => 0);
  const limit = (MAX_MOVIE_SECONDS * movie.fps.num) / movie.fps.den + 0.5;
  if (totalFrames <= limit) return;
  const index = scenes.findIndex(({ startFrame, frames }) => startFrame + frames > limit);
  fail(index === -1 ? 'elements' : joinPath('scenes', index), `The movie must not last more than ${MAX_MOVIE_SECONDS} seconds.`);
}
