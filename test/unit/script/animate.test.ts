import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors/index.js';
import { parseMovie, resolveDurations } from '../../../src/script/index.js';

const parse = (element: Record<string, unknown>) => parseMovie({ width: 640, height: 360, scenes: [{ elements: [element] }] });
const text = (animate: unknown, more: Record<string, unknown> = {}) => ({ type: 'text', text: 'Two words', animate, ...more });
const image = (animate: unknown) => ({ type: 'image', src: 'https://a.test/a.png', animate });

function failureOf(element: Record<string, unknown>): AppError {
  try {
    parse(element);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('the script is accepted');
}

const animateOf = (element: Record<string, unknown>) => {
  const [parsed] = parse(element).scenes[0]?.elements ?? [];
  return parsed !== undefined && 'animate' in parsed ? parsed.animate : undefined;
};

describe('animate', () => {
  test('a name stands for the type with its defaults', () => {
    expect(animateOf(text({ in: 'rise', out: 'rise', loop: 'wave' }))).toEqual({
      in: { type: 'rise', by: 'element', delay: 0, duration: 0.7, direction: 'up', easing: 'easeOutCubic' },
      out: { type: 'rise', by: 'element', delay: 0, duration: 0.7 * 0.75, direction: 'up', easing: 'easeInCubic' },
      loop: { type: 'wave', by: 'letter', delay: 0, duration: 1.6, direction: 'right' },
    });
  });

  test('takes lengths, numbers in strings and easing functions', () => {
    expect(
      animateOf(text({ in: { type: 'slide', by: 'line', distance: '10%', duration: '0.5', easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' } }))?.in,
    ).toMatchObject({
      by: 'line',
      distance: 36,
      duration: 0.5,
      easing: { bezier: [0.2, 0.8, 0.2, 1] },
    });
    expect(animateOf(image({ out: { type: 'pop', easing: 'spring' } }))?.out?.easing).toEqual({ spring: { stiffness: 100, damping: 10 } });
  });

  const warningsOf = (element: Record<string, unknown>) => {
    const [parsed] = parse(element).scenes[0]?.elements ?? [];
    return parsed !== undefined && 'warnings' in parsed ? parsed.warnings : undefined;
  };

  test('warns of properties that the type does not have', () => {
    expect(warningsOf(image({ in: { type: 'fade', distance: 20, direction: 'left', amount: 3, stagger: 0.1, duration: 1, easing: 'linear' } }))).toEqual([
      'animate.in.distance has no effect on "fade", only on "slide", "rise"',
      'animate.in.direction has no effect on "fade", only on "slide", "rise", "mask-reveal", "flip", "spin", "highlight"',
      'animate.in.amount has no effect on "fade", only on "scale", "pop", "blur", "spin", "draw-on"',
      'animate.in.stagger has no effect, because the element moves as one',
    ]);
    expect(warningsOf(text({ loop: { type: 'wave', amount: 2, stagger: 0.1 }, out: { type: 'pop', direction: 'up' } }))).toEqual([
      'animate.loop.amount has no effect on "wave", only on "pulse", "sway", "blink"',
      expect.stringMatching(/^animate\.out\.direction has no effect on "pop"/),
    ]);
    expect(warningsOf({ type: 'group', elements: [], animate: { in: { type: 'rise', amount: 2 } } })).toHaveLength(1);
    expect(warningsOf(text({ in: { type: 'typewriter', easing: 'linear' } }))).toEqual([
      expect.stringMatching(/^animate\.in\.easing has no effect on "typewriter"/),
    ]);
  });

  test('does not warn of properties that the type has', () => {
    const full = {
      in: { type: 'slide', by: 'word', distance: 20, direction: 'left', stagger: 0.1, duration: 1, delay: 1, easing: 'linear' },
      loop: { type: 'pulse', amount: 0.1, duration: 1, delay: 1 },
      out: { type: 'blur', amount: 3, easing: 'linear', duration: 1 },
    };
    expect(warningsOf(text(full))).toBeUndefined();
    expect(warningsOf(text({ in: { type: 'rise', amount: null } }))).toBeUndefined();
    expect(warningsOf(text({ in: { type: 'highlight', color: 'red', direction: 'right' } }))).toBeUndefined();
  });

  test('uncovers texts in their reading direction', () => {
    const directionsOf = (words: string, more: object = {}) =>
      ['mask-reveal', 'highlight', 'slide'].map((type) => {
        const animate = animateOf({ type: 'text', text: words, animate: { in: { type, by: type === 'highlight' ? 'word' : 'element', ...more } } });
        return animate?.in?.direction;
      });
    expect(directionsOf('<b>Words</b> שלום')).toEqual(['right', 'right', 'right']);
    expect(directionsOf('<b>12</b> שלום Words')).toEqual(['left', 'left', 'right']);
    expect(directionsOf('مرحبا', { direction: 'right' })).toEqual(['right', 'right', 'right']);
  });

  test('is absent when it animates nothing', () => {
    expect(animateOf(text({}))).toBeUndefined();
    expect(animateOf(text({ in: null }))).toBeUndefined();
  });

  test.each([
    [
      image({ in: { type: 'rise', by: 'word' } }),
      'animate.in.by',
      'by must be "element" for elements of type "image"; only a text can be animated by "line", "word" or "letter".',
    ],
    [image({ in: 'typewriter' }), 'animate.in', /^in must be one of "fade", .* for elements of type "image", not "typewriter"\.$/],
    [image({ in: { type: 'highlight' } }), 'animate.in.type', /^type must be one of .* not "highlight"\.$/],
    [text({ out: 'highlight' }), 'animate.out', /^out must be one of "fade"/],
    [text({ in: { type: 'highlight', color: 'blurple' } }), 'animate.in.color', /^color must be a colour/],
    [text({ in: 'rice' }), 'animate.in', /^in must be one of "fade", .*; did you mean "rise"\?$/],
    [text({ out: { type: 'bounce' } }), 'animate.out.type', /^type must be one of "fade"/],
    [text({ out: { type: 'fade', delay: 1 } }), 'animate.out.delay', /^unknown property 'delay'/],
    [text({ loop: { type: 'spin', by: 'letter' } }), 'animate.loop.by', 'by must be "element" for the loop "spin"; "sway" moves lines, words and letters.'],
    [text({ in: { type: 'fade', duration: -1 } }), 'animate.in.duration', /from 0 to 60/],
    [
      text({ in: { type: 'fade', easing: 'spring(0, 1)' } }),
      'animate.in.easing',
      /^easing must be a name .*"cubic-bezier\(x1, y1, x2, y2\)".*; not "spring\(0, 1\)"\.$/,
    ],
    [text({ in: { type: 'fade', easing: 'easeOutCubik' } }), 'animate.in.easing', /"spring\(stiffness, damping\)".*; did you mean "easeOutCubic"\?$/],
    [text({ in: { type: 'fade', easing: 'cubic-bezier(2, 0, 0, 1)' } }), 'animate.in.easing', /x1 and x2 from 0 to 1/],
    [text(undefined, { animate: { inn: 'fade' } }), 'animate.inn', /^unknown property 'inn'/],
  ])('refuses with path and allowed values, case %#', (element, path, message) => {
    const error = failureOf(element);
    expect(error.path).toBe(`scenes.0.elements.0.${path}`);
    if (typeof message === 'string') expect(error.message).toBe(message);
    else expect(error.message).toMatch(message);
  });
});

describe('the length of an animated text', () => {
  const secondsOf = (element: Record<string, unknown>, others: Array<Record<string, unknown>> = []) => {
    const movie = parseMovie({ width: 640, height: 360, fps: 25, scenes: [{ elements: [element, ...others] }] });
    return resolveDurations(movie, () => undefined).totalFrames / 25;
  };
  const long = 'letter '.repeat(30).trim();

  test('lets the text stand complete for 0.7 s before it leaves', () => {
    const typed = secondsOf(text({ in: 'typewriter', out: { type: 'fade', duration: 1 } }, { text: long }));
    expect(typed).toBeCloseTo(179 * 0.05 + 0.7 + 1, 1);
  });

  test('does not shorten or lengthen a scene in which there is time enough', () => {
    expect(secondsOf(text({ in: 'rise' }))).toBe(5);
    expect(secondsOf(text({ in: 'rise' }), [{ type: 'component', component: 'basic/000', duration: 3 }])).toBe(3);
  });

  test('counts graphemes, not code units', () => {
    const families = '👨‍👩‍👧‍👦'.repeat(120);
    expect(secondsOf(text({ in: 'typewriter' }, { text: families }))).toBeCloseTo(119 * 0.05 + 0.7, 1);
  });

  test('extends styles with a length of their own', () => {
    expect(secondsOf(text({ in: 'fade' }, { style: '004', duration: -1 }))).toBe(5);
    expect(secondsOf(text({ in: { type: 'fade', delay: 8 } }, { style: '004', duration: -1 }))).toBeCloseTo(9.32, 1);
  });
});
