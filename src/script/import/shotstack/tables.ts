/** Width and height at 16:9, and frames per second. */
export const resolutions: Readonly<Record<string, readonly [width: number, height: number, fps: number]>> = {
  preview: [512, 288, 15],
  mobile: [640, 360, 25],
  sd: [1024, 576, 25],
  hd: [1280, 720, 25],
  '1080': [1920, 1080, 25],
  '4k': [3840, 2160, 25],
};

/** Size from the long and the short side at 16:9. */
export const aspectRatios: Readonly<Record<string, (long: number, short: number) => readonly [number, number]>> = {
  '16:9': (long, short) => [long, short],
  '9:16': (long, short) => [short, long],
  '1:1': (_long, short) => [short, short],
  '4:5': (_long, short) => [(short * 4) / 5, short],
  '4:3': (_long, short) => [(short * 4) / 3, short],
};

export const qualities: Readonly<Record<string, string>> = { verylow: 'low', low: 'low', medium: 'medium', high: 'high', veryhigh: 'high' };

/** Positions as fractions of the free space from left and top. */
export const positions: Readonly<Record<string, readonly [x: number, y: number]>> = {
  center: [0.5, 0.5],
  top: [0.5, 0],
  topRight: [1, 0],
  right: [1, 0.5],
  bottomRight: [1, 1],
  bottom: [0.5, 1],
  bottomLeft: [0, 1],
  left: [0, 0.5],
  topLeft: [0, 0],
};

/** Shotstack's `fit` (default crop) to our `resize`. */
export const fits: Readonly<Record<string, 'cover' | 'contain' | 'stretch' | 'none'>> = { crop: 'cover', cover: 'stretch', contain: 'contain', none: 'none' };

/** Effects at their three speeds. */
const effect = (slow: object, normal: object, fast: object, name: string): Array<[string, object]> => [
  [name, normal],
  [`${name}Slow`, slow],
  [`${name}Fast`, fast],
];
export const effects: Readonly<Record<string, object>> = Object.fromEntries([
  ...effect({ zoom: 1 }, { zoom: 2 }, { zoom: 4 }, 'zoomIn'),
  ...effect({ zoom: -1 }, { zoom: -2 }, { zoom: -4 }, 'zoomOut'),
  ...(['Left', 'Right', 'Up', 'Down'] as const).flatMap((way) => {
    const pan = { Left: 'left', Right: 'right', Up: 'top', Down: 'bottom' }[way];
    return effect({ pan, pan_distance: 0.05 }, { pan, pan_distance: 0.1 }, { pan, pan_distance: 0.2 }, `slide${way}`);
  }),
]);

export const filters: Readonly<Record<string, object>> = {
  blur: { blur: 12 },
  boost: { correction: { contrast: 1.2, saturation: 1.4 } },
  contrast: { correction: { contrast: 1.3 } },
  darken: { correction: { brightness: -0.15 } },
  greyscale: { correction: { saturation: 0 } },
  lighten: { correction: { brightness: 0.15 } },
  muted: { correction: { contrast: 0.85, saturation: 0.6 } },
};

/** Styles of legacy title assets, with similar fonts. */
export const titleStyles: Readonly<Record<string, object>> = {
  minimal: { font: 'Montserrat' },
  blockbuster: { font: 'Bebas Neue', text_transform: 'uppercase' },
  vogue: { font: 'Playfair Display', text_transform: 'uppercase' },
  sketchy: { font: 'Caveat', font_weight: 700 },
  skinny: { font: 'Raleway', font_weight: 200, text_transform: 'uppercase' },
  chunk: { font: 'Archivo Black', text_transform: 'uppercase' },
  chunkLight: { font: 'Archivo', font_weight: 300, text_transform: 'uppercase' },
  marker: { font: 'Permanent Marker' },
  future: { font: 'Space Grotesk', letter_spacing: 4 },
  subtitle: { font: 'Open Sans' },
};

/** Font sizes of legacy title assets as fractions of the canvas height. */
export const titleSizes: Readonly<Record<string, number>> = {
  'xx-small': 0.03,
  'x-small': 0.04,
  small: 0.055,
  medium: 0.07,
  large: 0.1,
  'x-large': 0.13,
  'xx-large': 0.17,
};
