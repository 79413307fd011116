import type { Theme } from './movie.js';
import { fail } from './validation/fail.js';
import { Fields } from './validation/fields.js';
import { schemaPart } from './validation/schema.js';

const colorNames = ['primary', 'accent', 'background', 'surface', 'text'] as const;

/** Schema defaults, with which a movie without `theme` is drawn. */
export const defaultTheme: Theme = parseProperties(new Fields({ object: {}, path: 'theme', schema: schemaPart('theme') }), undefined, () => undefined);

/**
 * Parses the `theme` of a movie or component element; properties that it does not have come from `base`. `checkUrl` returns the reason why
 * a logo is refused. Throws SCHEMA_VALIDATION_ERROR.
 */
export function parseTheme(owner: Fields, base: Theme, checkUrl: (url: string) => string | undefined): Theme {
  const theme = owner.object('theme');
  return theme === undefined ? base : parseProperties(theme, base, checkUrl);
}

function parseProperties(theme: Fields, base: Theme | undefined, checkUrl: (url: string) => string | undefined): Theme {
  const isGiven = (name: string) => base === undefined || theme.find(name) !== undefined;
  const family = (name: string, inherited: string | undefined) => (isGiven(name) || inherited === undefined ? theme.string(name).trim() : inherited);
  const logo = theme.optionalString('logo') ?? base?.logo;
  const reason = theme.find('logo') === undefined ? undefined : checkUrl(String(logo));
  if (reason !== undefined) fail(theme.pathOf('logo'), `logo is refused: ${reason}.`);
  const colors = Object.fromEntries(colorNames.map((name) => [name, isGiven(name) || base === undefined ? theme.color(name) : base[name]]));
  return {
    ...(colors as Pick<Theme, (typeof colorNames)[number]>),
    fontHeading: family('font-heading', base?.fontHeading),
    fontBody: family('font-body', base?.fontBody),
    corners: isGiven('corners') || base === undefined ? (theme.string('corners') as Theme['corners']) : base.corners,
    ...(logo === undefined ? {} : { logo }),
  };
}
