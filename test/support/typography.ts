import type { TextElement, Typography } from '../../src/script/movie.js';

export const white = { r: 255, g: 255, b: 255, a: 255 };
export const black = { r: 0, g: 0, b: 0, a: 255 };

/** Default text settings (white Inter, centred) with changes. */
export function makeTypography(changes: Partial<Typography> = {}): Typography {
  return {
    fontFamilies: ['Inter'],
    fontSize: 24,
    fontWeight: 400,
    fontStyle: 'normal',
    color: white,
    backgroundColor: { r: 0, g: 0, b: 0, a: 0 },
    textAlign: 'center',
    lineHeight: 1.2,
    letterSpacing: 0,
    textDecoration: { underline: false, lineThrough: false, overline: false },
    textTransform: 'none',
    shadows: [],
    padding: { top: 0, right: 0, bottom: 0, left: 0 },
    borderRadius: 0,
    horizontalPosition: 'center',
    verticalPosition: 'center',
    ...changes,
  };
}

export function makeTextElement(text: string, typography: Partial<Typography> = {}, style: TextElement['style'] = '001'): TextElement {
  return {
    type: 'text',
    path: 'scenes.0.elements.0',
    text,
    style,
    typography: makeTypography(typography),
    start: 0,
    duration: 'container',
    extraTime: 0,
    fadeIn: 0,
    fadeOut: 0,
    zIndex: 0,
    position: 'custom',
    x: 0,
    y: 0,
    width: -1,
    height: -1,
    resize: 'none',
    opacity: 1,
    zoom: 0,
    panDistance: 0.1,
    panCrop: true,
    flipHorizontal: false,
    flipVertical: false,
    blendMode: 'normal',
    cornerRadius: 0,
    blur: 0,
    sharpen: 0,
    grain: 0,
    skewX: 0,
    skewY: 0,
    rotateX: 0,
    rotateY: 0,
    perspective: 1920,
    motionBlur: 0,
    keyframes: [],
  };
}
