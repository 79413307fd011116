import type { InstalledComponent } from '../../contract/index.js';

/** Something that can be inserted into a script, with a small movie that demonstrates it. */
export interface Piece {
  name: string;
  note: string;
  movie: object;
  /** Time of the still, in seconds. */
  at: number;
  /** Times of the animation. */
  moments: readonly number[];
  insert:
    | { what: 'element'; element: object }
    | { what: 'text'; property: 'style' | 'animate'; value: string | object }
    | { what: 'transition'; style: string };
}

const frame = { width: 320, height: 180, fps: 25 };
const ground = '#1c2333';

const styleNotes: Readonly<Record<string, string>> = {
  '001': 'Static',
  '002': 'Fades in',
  '003': 'Word by word',
  '004': 'Letters pop up',
  '005': 'Letters jump',
  '006': 'From the right',
  '007': 'Letters turn in',
  '008': 'Between lines',
  '009': 'In random order',
  '010': 'Leaves in random order',
  '011': 'Behind each line',
};

const evenly = (from: number, to: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => Number((from + ((to - from) * index) / (count - 1)).toFixed(3)));

/** One piece per text style. */
export function textStyles(names: readonly string[]): Piece[] {
  return names.map((style) => ({
    name: style,
    note: styleNotes[style] ?? '',
    movie: {
      ...frame,
      scenes: [
        {
          duration: 3,
          background: ground,
          elements: [
            {
              type: 'text',
              text: 'Words that\nmove',
              style,
              font: 'Montserrat',
              font_weight: 700,
              font_size: 40,
              line_height: 1.2,
              color: '#ffffff',
              ...(style === '011' && { settings: { 'background-color': '#3a56d4' } }),
            },
          ],
        },
      ],
    },
    at: style === '009' ? 1.5 : 1,
    moments: evenly(0, 2.8, 15),
    insert: { what: 'text', property: 'style', value: style },
  }));
}

/** One piece per entrance, with the exit of the same name where there is one. */
export function animations(entrances: readonly string[], exits: readonly string[]): Piece[] {
  return entrances.map((name) => {
    const animate = { in: name, ...(exits.includes(name) && { out: name }) };
    const text = { type: 'text', text: 'Words that\nmove', font: 'Space Grotesk', font_weight: 700, font_size: 44, color: '#ffffff', duration: 3, animate };
    return {
      name,
      note: exits.includes(name) ? 'In and out' : 'In',
      movie: { ...frame, scenes: [{ duration: 3, background: ground, elements: [text] }] },
      // While it comes in, since all look the same once they are there.
      at: 0.3,
      moments: evenly(0, 2.92, 19),
      insert: { what: 'text', property: 'animate', value: animate },
    };
  });
}

const cues = '1\n00:00:00,000 --> 00:00:01,600\nEvery word at\nits time\n';

/** One piece per style of subtitles. */
export function captions(styles: readonly string[]): Piece[] {
  return styles.map((style) => ({
    name: style,
    note: '',
    movie: {
      ...frame,
      scenes: [
        {
          duration: 1.6,
          background: ground,
          elements: [{ type: 'subtitles', captions: cues, settings: { style, 'font-size': 34, position: 'center-center' } }],
        },
      ],
    },
    at: 0.9,
    moments: evenly(0, 1.56, 14),
    insert: { what: 'element', element: { type: 'subtitles', captions: cues, settings: { style } } },
  }));
}

/** One piece per transition. */
export function transitions(names: readonly string[]): Piece[] {
  const side = (text: string, background: string, color: string) => ({
    background,
    elements: [{ type: 'text', text, font: 'Playfair Display', font_weight: 700, font_size: 84, color }],
  });
  return names.map((style) => ({
    name: style,
    note: '',
    movie: {
      ...frame,
      scenes: [
        { duration: 1, ...side('A', '#23395d', '#f5ead6') },
        { duration: 1.2, ...side('B', '#e8b04b', '#2b2140'), transition: { style, duration: 1 } },
      ],
    },
    at: 1.44,
    moments: evenly(1, 2, 11),
    insert: { what: 'transition', style },
  }));
}

/** One piece per installed component; those of the pack that is designed as one set come first. */
export function components(installed: readonly InstalledComponent[]): Piece[] {
  const isMotion = ({ id }: InstalledComponent): boolean => id.startsWith('motion/');
  return [...installed.filter(isMotion), ...installed.filter((one) => !isMotion(one))].map(({ id, title, preview: { settings, at } }) => {
    const seen = at[at.length - 1] ?? 1.6;
    const element = { type: 'component', component: id, settings };
    const duration = Math.max(4, seen + 1);
    const movie = { width: 960, height: 540, fps: 25, scenes: [{ duration, background: ground, elements: [element] }] };
    // Up to the end, so that exits are seen as well.
    return { name: title, note: id, movie, at: seen, moments: evenly(0, duration - 0.12, 16), insert: { what: 'element', element } };
  });
}
