import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/errors/index.js';
import { loadPacks } from '../../../../src/graphics/components/index.js';
import { checkWebUrl, estimateMovie, parseMovie, resolveDurations } from '../../../../src/script/index.js';

const packs = loadPacks(undefined);

function parse(component: string, settings: unknown, changes: object = {}) {
  const scenes = [{ elements: [{ type: 'component', component, settings, ...changes }] }];
  return parseMovie({ width: 640, height: 360, scenes }, { checkUrl: checkWebUrl, components: packs });
}

function refusal(component: string, settings: unknown): { path: string | undefined; message: string } {
  try {
    parse(component, settings);
  } catch (error) {
    if (error instanceof AppError) return { path: error.path, message: error.message };
    throw error;
  }
  throw new Error('it was accepted');
}

const at = 'scenes.0.elements.0';

describe('a script is refused with the place and the nearest name when', () => {
  test.each([
    ['the component is unknown', 'basic/O50', {}, `${at}.component`, /basic\/050/],
    ['the group is unknown', 'basic/050', { headlin: { text: 'x' } }, `${at}.settings.headlin`, /did you mean 'headline'/],
    ['a property is misspelt', 'basic/050', { headline: { colour: 'red' } }, `${at}.settings.headline.colour`, /did you mean 'color'/],
    ['a colour is none', 'basic/050', { headline: { color: 'reddish' } }, `${at}.settings.headline.color`, /colour/],
    ['a background is none', 'basic/050', { headline: { text: 'x', background: 'stripes' } }, `${at}.settings.headline.background`, /gradient/],
    ['a length is none', 'basic/050', { card: { padding: '4 apples' } }, `${at}.settings.card.padding`, /length/],
    ['a number is out of range', 'advanced/070', { rating: { value: 9 } }, `${at}.settings.rating.value`, /from 0 to 5/],
    ['a choice is none', 'advanced/070', { rating: { symbol: 'moon' } }, `${at}.settings.rating.symbol`, /star/],
    [
      'an easing is misspelt',
      'shape/rectangle',
      { rectangle1: { animate: { left: '1%', easing: 'easeOutCubix' } } },
      `${at}.settings.rectangle1.animate.easing`,
      /easeOutCubic/,
    ],
    ['a journey goes nowhere known', 'shape/rectangle', { rectangle1: { animate: { lefft: '1%' } } }, `${at}.settings.rectangle1.animate.lefft`, /lefft/],
    ['a numbered group does not exist', 'shape/rectangle', { rectangle11: {} }, `${at}.settings.rectangle11`, /rectangle1/],
    ['a name is of every object', 'basic/050', { headline: { constructor: 'x' } }, `${at}.settings.headline.constructor`, /unknown property/],
    ['a border has such a name', 'basic/050', { headline: { border: '1px constructor' } }, `${at}.settings.headline.border`, /style/],
    ['a group is a list', 'basic/100', { box: [1] }, `${at}.settings.box`, /object/],
    ['a picture has no address of the web', 'basic/120', { image: { src: 'file:///etc/passwd' } }, `${at}.settings.image.src`, /refused/],
    [
      'a background picture has none',
      'shape/rectangle',
      { rectangle1: { background: 'url(ftp://x/y.png)' } },
      `${at}.settings.rectangle1.background`,
      /refused/,
    ],
  ])('%s', (_, component, settings, path, message) => {
    const refused = refusal(component, settings);
    expect(refused.path).toBe(path);
    expect(refused.message).toMatch(message);
  });
});

describe('settings are taken', () => {
  test.each([
    ['with underscores', 'basic/050', { headline: { text: 'x', font_size: '4vw', text_shadow: '1px 1px red' } }],
    ['with a text for a group', 'basic/050', { headline: 'A text', lead: ['one', 'two'] }],
    ['with numbers in strings', 'advanced/060', { counter: { from: '400', to: '230', duration: '3000' } }],
    ['with nothing', 'basic/000', {}],
    ['with null', 'basic/000', { headline: null, body: { text: null, color: null } }],
    ['with empty values', 'basic/052', { headline: { text: 'x', color: '' }, section: { text: [''] } }],
    [
      'with shorthands',
      'shape/rectangle',
      {
        rectangle1: {
          border: '1vw solid',
          'border-color': 'rgba(1,2,3,0.5)',
          padding: '1px 2px 3px',
          background: 'url("https://example.com/a.png") center / cover no-repeat, #fff',
        },
      },
    ],
    ['with a part of a symbol', 'advanced/070', { rating: { value: 4.4 } }],
    ['with properties that change nothing here', 'basic/000', { card: { 'box-sizing': 'border-box', 'white-space': 'nowrap' } }],
  ])('%s', (_, component, settings) => {
    expect(parse(component, settings).scenes[0]?.elements).toHaveLength(1);
  });
});

test('every picture that settings name is listed with its setting', () => {
  const movie = parse('shape/rectangle', {
    rectangle1: { 'background-image': "url('https://example.com/a.png')" },
    rectangle2: { background: 'linear-gradient(red, blue), url(https://example.com/b.png) no-repeat' },
  });
  expect(movie.scenes[0]?.elements[0]).toMatchObject({
    media: [
      { path: `${at}.settings.rectangle1.background-image`, url: 'https://example.com/a.png' },
      { path: `${at}.settings.rectangle2.background`, url: 'https://example.com/b.png' },
    ],
  });
});

test('a component of natural length lasts as long as its introduction', () => {
  expect(estimateMovie(parse('basic/050', {}, { duration: -1 })).durationSeconds).toBe(10);
  const counter = parse('advanced/060', { counter: { duration: 1500 } }, { duration: -1, 'extra-time': 1 });
  expect(resolveDurations(counter, () => undefined).totalFrames).toBe(Math.round((1.5 + 2 + 1) * (counter.fps.num / counter.fps.den)));
});

const describeCard = (headline: object) =>
  packs.describe('basic/000', { headline: { text: 'x', ...headline } }, 'scenes.0.elements.0', { width: 400, height: 300 });

test('texts of a component take what texts by themselves take', () => {
  const typographyOf = (headline: object) => {
    const description = describeCard(headline);
    const found: Array<Record<string, unknown>> = [];
    JSON.stringify(description, (_key, value: unknown) => {
      if (typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'text') found.push(value as never);
      return value;
    });
    return { warnings: description.warnings, style: found[0]?.style as { typography: unknown; background: unknown } };
  };
  const lettered = {
    'word-spacing': '7px',
    'text-indent': 9,
    'white-space': 'nowrap',
    'text-overflow': 'ellipsis',
    fontVariant: 'small-caps',
    'font-kerning': 'none',
  };
  const lined = { textDecorationLine: 'underline', 'text-decoration-style': 'wavy', 'text-decoration-color': 'red', 'text-underline-offset': 3 };
  const { style, warnings } = typographyOf({ ...lettered, ...lined, '-webkit-line-clamp': 2, 'text-stroke-width': 2, 'text-stroke-color': 'blue' });
  expect(warnings).toEqual([]);
  expect(style.typography).toMatchObject({
    ...{ wordSpacing: 7, textIndent: 9, noWrap: true, ellipsis: true, capitals: 'small-caps', noKerning: true, maxLines: 2 },
    decorationLook: { style: 'wavy', underlineOffset: 3, color: { r: 255 } },
    stroke: { width: 2, color: { b: 255 } },
  });
  const gradient = typographyOf({ background: 'linear-gradient(red, blue)', '-webkit-background-clip': 'text', color: 'transparent' }).style;
  expect(gradient.typography).toMatchObject({ fill: { layers: [{ paint: { kind: 'linear' } }] } });
  expect(gradient.background).toMatchObject({ layers: [] });
  expect(() => describeCard({ 'white-space': 'tight' })).toThrow(/white-space must be one of normal, nowrap/);
  expect(typographyOf({ 'text-wrap': 'balance', hyphens: 'auto', lang: 'de' }).style.typography).toMatchObject({
    textWrap: 'balance',
    hyphens: 'auto',
    lang: 'de',
  });
  expect(() => describeCard({ 'text-wrap': 'even' })).toThrow(/text-wrap must be one of wrap, nowrap, balance, pretty, stable/);
  expect(describeCard({ filter: 'blur(2px)', outline: 'none' }).warnings).toEqual(['settings.headline.filter is a CSS property that is not drawn']);
});

test('a picture by its address alone is one in components that are pages too', () => {
  const htmlOf = (front: object) => JSON.stringify(packs.describe('shape/3dbox', { front }, at, { width: 400, height: 300 }));
  expect(htmlOf({ 'background-image': 'https://example.com/a.png' })).toContain('url(\\\\\\"https://example.com/a.png');
  for (const image of ["url('https://example.com/a.png')", 'linear-gradient(red, blue)', 'none']) {
    expect(htmlOf({ 'background-image': image })).not.toContain('url(\\\\\\"');
  }
});

test('other CSS in a group is taken and told of; a name that is none is refused', () => {
  const describe = describeCard;
  expect(describe({ 'scroll-margin': '4px', color: 'red' }).warnings).toEqual(['settings.headline.scroll-margin is a CSS property that is not drawn']);
  expect(describe({ color: 'red' }).warnings).toEqual([]);
  expect(() => describe({ 'scrol-margine': '4px' })).toThrow(/unknown property/);
});
