/** gl-transitions and editly transitions, with the closest style and direction. */
export const transitions: Readonly<Record<string, object>> = {
  fade: { style: 'fade' },
  crosszoom: { style: 'zoomin' },
  simplezoom: { style: 'zoomin' },
  dissolve: { style: 'dissolve' },
  fadecolor: { style: 'fadeblack' },
  fadegrayscale: { style: 'fadegrays' },
  pixelize: { style: 'pixelize' },
  radial: { style: 'radial' },
  angular: { style: 'radial' },
  circleopen: { style: 'circleopen' },
  circle: { style: 'circleopen' },
  circlecrop: { style: 'circlecrop' },
  squareswire: { style: 'dissolve' },
  squeeze: { style: 'squeezeh' },
  linearblur: { style: 'hblur' },
  wind: { style: 'hlwind' },
  windowslice: { style: 'hlslice' },
  directional: { style: 'slide', direction: 'up' },
  directionalwipe: { style: 'wipe', direction: 'left' },
  wipeleft: { style: 'wipe', direction: 'left' },
  wiperight: { style: 'wipe', direction: 'right' },
  wipeup: { style: 'wipe', direction: 'up' },
  wipedown: { style: 'wipe', direction: 'down' },
  'directional-left': { style: 'slide', direction: 'left' },
  'directional-right': { style: 'slide', direction: 'right' },
  'directional-up': { style: 'slide', direction: 'up' },
  'directional-down': { style: 'slide', direction: 'down' },
};

/** Position presets; both formats place them 5 % from the edges. */
export const positions: Readonly<Record<string, readonly [across: string, down: string]>> = {
  top: ['center', 'top'],
  bottom: ['center', 'bottom'],
  center: ['center', 'center'],
  'top-left': ['left', 'top'],
  'top-right': ['right', 'top'],
  'center-left': ['left', 'center'],
  'center-right': ['right', 'center'],
  'bottom-left': ['left', 'bottom'],
  'bottom-right': ['right', 'bottom'],
};

/** Reasons why layer types are not supported. */
export const unsupportedLayers: Readonly<Record<string, string>> = {
  canvas: 'it is drawn by JavaScript; use an html element',
  fabric: 'it is drawn by JavaScript; use an html element',
  gl: 'it is drawn by a shader; use an html element',
  'editly-banner': 'it is specific to editly',
};
