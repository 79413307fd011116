import type { Element, VideoElement } from '../movie.js';
import { joinPath } from '../validation/fail.js';
import { Fields } from '../validation/fields.js';
import { schemaPart } from '../validation/schema.js';
import { parseAudible, parseLoop } from './audible.js';
import { parseAudiogram } from './audiogram.js';
import { parseComponent } from './component.js';
import { type ElementContext, parseUrl } from './context.js';
import { parseFreeze } from './freeze.js';
import { parseGroup } from './group.js';
import { parseHtml } from './html.js';
import { parseSource } from './source.js';
import { parseSubtitles } from './subtitles.js';
import { parseText } from './text/text.js';
import { parseTimed } from './timed.js';
import { parseVisual } from './visual.js';
import { parseVoice } from './voice.js';

export type { CheckGeneration, CheckUrl, ComponentChecker, ElementContext } from './context.js';
export { parseMotionBlur } from './effects.js';

type RawElement = Readonly<Record<string, unknown>> & { type: Element['type'] | 'lottie' };

/** Parses a list of schema-valid elements; groups are followed by their members. `path`: path of the list. */
export function parseElements(list: unknown, path: string, context: ElementContext): Element[] {
  const raw = (list ?? []) as RawElement[];
  return raw.flatMap((object, index) => {
    const at = joinPath(path, index);
    const element = parseElement(object, at, context);
    if (element.type !== 'group') return [element];
    const members = parseElements(object.elements, joinPath(at, 'elements'), { ...context, groups: [...(context.groups ?? []), at] });
    return [element, ...(element.cache === false ? members.map((member): Element => ({ ...member, cache: false })) : members)];
  });
}

function parseFrameBlending(fields: Fields): Pick<VideoElement, 'blendsFrames'> {
  const value = fields.find('frame-blending')?.value;
  return value === true || value === 'blend' ? { blendsFrames: true } : {};
}

function parseElement(object: RawElement, path: string, context: ElementContext): Element {
  const fields = new Fields({ object, path, schema: schemaPart(object.type) });
  const common = () => parseTimed(fields, path, context);
  switch (object.type) {
    case 'text':
      return parseText(object, path, context);
    case 'image':
      return { type: 'image', ...common(), ...parseVisual('image', fields, context), ...parseSource('image', fields, context) };
    case 'lottie':
      return {
        type: 'image',
        loop: parseLoop(fields),
        ...common(),
        ...parseVisual('image', fields, context),
        src: parseUrl(fields, 'src', context),
      };
    case 'video':
      return {
        type: 'video',
        deinterlace: fields.string('deinterlace') as VideoElement['deinterlace'],
        ...parseFrameBlending(fields),
        ...parseFreeze(fields),
        ...common(),
        ...parseVisual('video', fields, context),
        ...parseAudible(fields),
        ...parseSource('video', fields, context),
      };
    case 'audio':
      return { type: 'audio', ...common(), ...parseAudible(fields), src: parseUrl(fields, 'src', context) };
    case 'voice':
      return parseVoice(fields, path, context);
    case 'html':
      return parseHtml(fields, path, context);
    case 'component':
      return parseComponent(object, path, context);
    case 'audiogram':
      return parseAudiogram(fields, path, context);
    case 'subtitles':
      return parseSubtitles(fields, path, context);
    case 'group':
      return parseGroup(fields, path, context);
  }
}
