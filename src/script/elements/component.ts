import type { ComponentElement } from '../movie.js';
import { defaultTheme, parseTheme } from '../theme.js';
import { fail, propertyName } from '../validation/fail.js';
import { Fields } from '../validation/fields.js';
import { schemaPart } from '../validation/schema.js';
import type { ElementContext } from './context.js';
import { parseTimed } from './timed.js';
import { parseVarying } from './varying.js';
import { parseVisual } from './visual.js';

/** Parses a component element; its settings are validated if components are installed. */
export function parseComponent(object: Readonly<Record<string, unknown>>, path: string, context: ElementContext): ComponentElement {
  const fields = new Fields({ object, path, schema: schemaPart('component') });
  const component = fields.string('component');
  const settings = (fields.find('settings')?.value ?? {}) as Record<string, unknown>;
  const theme = parseTheme(fields, context.theme ?? defaultTheme, context.checkUrl);
  const known = context.components?.check(component, settings, path, theme);
  for (const { path: setting, url } of known?.media ?? []) {
    const reason = context.checkUrl(url);
    if (reason !== undefined) fail(setting, `${propertyName(setting)} is refused: ${reason}.`);
  }
  const timed = parseTimed(fields, path, context);
  const parse = (changed: Readonly<Record<string, unknown>>) => parseComponent(changed, path, context);
  const varying = parseVarying({ type: 'component', object, path, keyframes: timed.keyframes, parse });
  if (varying.varying !== undefined && known?.isPage === true)
    fail(fields.pathOf('keyframes'), `settings and theme cannot change in keyframes of ${component}, which the browser draws; its CSS can animate them.`);
  return {
    type: 'component',
    ...timed,
    ...varying,
    ...parseVisual('component', fields, context),
    component,
    settings,
    theme,
    media: known?.media ?? [],
    ...(known === undefined ? {} : { seconds: known.seconds }),
  };
}
