import { even, type ImportNotes, isObject, round, type SourceFields } from '../fields.js';
import { easings } from '../keyframes.js';
import { type LayerContext, layerReaders, volumeOf } from './layers.js';
import { transitions, unsupportedLayers } from './tables.js';

const defaultSeconds = 4;

interface Spec {
  spec: SourceFields;
  notes: ImportNotes;
  canvas: { width: number; height: number };
  defaults: SourceFields | undefined;
  keepsSound: boolean;
}

/** Converts an editly spec: each clip becomes a scene. */
export function importEditly(document: Record<string, unknown>, notes: ImportNotes): object {
  const spec = notes.fields(document, '');
  const width = even(spec.number('width') ?? 640);
  const height = even(spec.number('height') ?? (width * 9) / 16);
  if (!spec.has('height')) spec.approximate('height', 'editly uses that of the first video; 16:9 is used instead');
  if (!spec.has('fps')) spec.approximate('fps', 'editly uses that of the first video; 25 is used instead');
  spec.ignore('outPath', 'allowRemoteRequests', 'verbose', 'enableFfmpegLog', 'keepTmp', 'logTimes', 'ffmpegPath', 'ffprobePath', 'fast');
  spec.omitAll({
    customOutputArgs: 'use codec and quality',
    outputVolume: 'use loudness',
    audioNorm: 'use duck and loudness',
    clipsAudioVolume: 'use the volume of each video',
  });
  const whole = { spec, notes, canvas: { width, height }, defaults: spec.object('defaults'), keepsSound: spec.flag('keepSourceAudio') ?? false };
  const scenes = readClips(whole, document);
  const elements = [...readSound(spec), ...readTracks(spec)];
  return { width, height, fps: spec.number('fps') ?? 25, scenes, ...(elements.length > 0 && { elements }) };
}

interface Cut {
  clip: SourceFields;
  scene: object;
  seconds: number | undefined;
  /** Transition to the next clip. */
  transition: { style: object; seconds: number } | undefined;
}

function readClips(whole: Spec, document: Record<string, unknown>): object[] {
  const cuts = whole.spec.list('clips').map((clip, index) => readClip(whole, clip, (document.clips as unknown[])[index]));
  return cuts.map(({ scene, seconds, transition, clip }, index) => {
    const before = cuts[index - 1];
    const next = cuts[index + 1];
    // In editly, clips overlap during transitions; here a scene starts when the previous one ends.
    const shared = next === undefined || transition === undefined ? 0 : safeSeconds(transition.seconds, seconds, next.seconds);
    const coming = before?.transition === undefined ? 0 : safeSeconds(before.transition.seconds, before.seconds, seconds);
    if (shared > 0 && seconds === undefined)
      clip.approximate('transition', 'the length of the video is unknown, so the clip is slightly longer than in editly');
    return {
      duration: seconds === undefined ? 'auto' : round(seconds - shared),
      ...scene,
      ...(coming > 0 && before?.transition && { transition: { ...before.transition.style, duration: round(coming) } }),
    };
  });
}

/** Limits a transition to half of either clip. */
function safeSeconds(wanted: number, one: number | undefined, other: number | undefined): number {
  return Math.min(wanted, (one ?? Number.POSITIVE_INFINITY) / 2, (other ?? Number.POSITIVE_INFINITY) / 2);
}

function readClip(whole: Spec, clip: SourceFields, document: unknown): Cut {
  const { defaults, notes, canvas, keepsSound } = whole;
  const raw = isObject(document) ? document.layers : undefined;
  const layers = (Array.isArray(raw) ? raw : [raw]).filter(isObject).map((layer) => withDefaults(layer, defaults));
  clip.ignore('layers');
  const fields = layers.map((layer, index) => notes.fields(layer, Array.isArray(raw) ? `${clip.at('layers')}.${index}` : clip.at('layers')));
  const video = fields.find((layer) => layer.raw('type') === 'video');
  const own = clip.number('duration');
  const seconds = own ?? (video === undefined ? (defaults?.number('duration') ?? defaultSeconds) : cutLength(video));
  if (own !== undefined && video !== undefined) clip.approximate('duration', 'editly changes the speed of videos; here they are cut, or hold their last frame');
  const place = { canvas, seconds, keepsSound, background: undefined as string | undefined };
  const elements = fields.flatMap((layer) => readLayer(layer, place));
  return { clip, seconds, scene: { background: place.background ?? '#000000', elements }, transition: readTransition(clip, defaults) };
}

function cutLength(video: SourceFields): number | undefined {
  const [from, to] = [video.number('cutFrom') ?? 0, video.number('cutTo')];
  return to === undefined ? undefined : to - from;
}

/** Applies `defaults.layer` and `defaults.layerType` to a layer. */
function withDefaults(layer: Record<string, unknown>, defaults: SourceFields | undefined): Record<string, unknown> {
  const all = defaults?.raw('layer');
  const byType = defaults?.raw('layerType');
  const ofType = isObject(byType) ? byType[String(layer.type)] : undefined;
  return { ...(isObject(all) ? all : {}), ...(isObject(ofType) ? ofType : {}), ...layer };
}

function readLayer(layer: SourceFields, place: LayerContext): object[] {
  const type = layer.text('type') ?? '';
  const read = Object.hasOwn(layerReaders, type) ? layerReaders[type] : undefined;
  if (read !== undefined) {
    const start = layer.number('start');
    const stop = layer.number('stop');
    // Comes from the defaults, also of layers without text.
    if (!layer.has('text')) layer.ignore('fontPath');
    const elements = read(layer, place);
    if (elements.some((element) => 'src' in element && element.src === '')) {
      layer.omit('path', 'missing, so the layer is omitted');
      return [];
    }
    return elements.map((element) => ({
      ...element,
      ...(start !== undefined && start > 0 && { start }),
      ...(stop !== undefined && { duration: round(stop - (start ?? 0)) }),
    }));
  }
  layer.omit('type', (Object.hasOwn(unsupportedLayers, type) ? unsupportedLayers[type] : undefined) ?? `${JSON.stringify(type)} is not supported`);
  for (const path of layer.unread()) layer.omit(path.slice(layer.path.length + 1), 'its layer is omitted');
  return [];
}

function readTransition(clip: SourceFields, defaults: SourceFields | undefined): Cut['transition'] {
  if (clip.isNull('transition')) return undefined;
  const own = clip.object('transition');
  const usual = defaults?.object('transition');
  if (own === undefined && defaults !== undefined && defaults.isNull('transition')) return undefined;
  const seconds = own?.number('duration') ?? usual?.number('duration') ?? 0.5;
  const owner = own?.has('name') ? own : usual?.has('name') ? usual : (own ?? usual);
  for (const fields of [own, usual]) {
    fields?.ignore('name', 'duration');
    fields?.omitAll({
      audioOutCurve: 'audio uses a fixed crossfade',
      audioInCurve: 'audio uses a fixed crossfade',
      params: 'transitions have no parameters except direction',
    });
  }
  const name = String(owner?.raw('name') ?? 'random');
  if (name === 'dummy' || seconds === 0) return undefined;
  const easing = (own?.has('easing') ? own : usual)?.choice('easing', easings, '; it is linear');
  const style = transitions[name.toLowerCase()];
  if (style !== undefined) return { style: { ...style, ...(easing !== undefined && { easing }) }, seconds };
  const why = name === 'random' ? 'a fade: random choices are not supported' : `a fade: ${JSON.stringify(name)} is not supported`;
  if (owner?.has('name')) owner.approximate('name', why);
  else clip.approximate('transition', why);
  return { style: { style: 'fade' }, seconds };
}

/** Converts the background music. */
function readSound(spec: SourceFields): object[] {
  const src = spec.text('audioFilePath');
  const loops = spec.flag('loopAudio') === true;
  const volume = volumeOf(spec, 'backgroundAudioVolume');
  return src === undefined ? [] : [{ type: 'audio', src, duration: -2, ...(loops && { loop: -1 }), ...volume }];
}

function readTracks(spec: SourceFields): object[] {
  return spec.list('audioTracks').map((track) => {
    const [from, to, start] = [track.number('cutFrom'), track.number('cutTo'), track.number('start')];
    return {
      type: 'audio',
      src: track.text('path') ?? '',
      start: start ?? 0,
      duration: to === undefined ? -1 : round(to - (from ?? 0)),
      ...(from && { seek: from }),
      ...volumeOf(track, 'mixVolume'),
    };
  });
}
