/** A validated component pack. */
export interface Pack {
  name: string;
  version: string;
  title: string;
  folder: string;
  components: Component[];
}

/** A component of a pack. */
export interface Component {
  /** `pack/name`, as used in scripts. */
  id: string;
  title: string;
  description: string;
  /** Natural duration of its elements. */
  seconds: Seconds;
  settings: SettingsSchema;
  preview: Preview;
  body: { kind: 'native'; root: TreeNode } | { kind: 'html'; html: string };
}

/** Seconds, or the path of a setting in `unit` (default: milliseconds) plus `add` seconds. */
export type Seconds = number | { setting: string; unit?: 'milliseconds' | 'seconds'; add?: number };

/** Settings and canvas of a component's preview image. */
export interface Preview {
  settings: Record<string, unknown>;
  width: number;
  height: number;
  seconds: number;
  background: string;
  /** Times of the preview frames, in seconds. */
  at: number[];
}

/** JSON Schema of a component's settings: groups of properties. */
interface SettingsSchema {
  properties?: Record<string, GroupSchema>;
  /** Numbered groups, e.g. `^rectangle([1-9]|10)$`. */
  patternProperties?: Record<string, GroupSchema>;
}

/** JSON Schema of one group. */
export interface GroupSchema {
  description?: string;
  properties?: Record<string, PropertySchema>;
  /** False: the group accepts only the listed properties and no style properties. */
  'x-style'?: boolean;
}

interface PropertySchema {
  type?: string | string[];
  description?: string;
  default?: unknown;
  [keyword: string]: unknown;
}

/** One node of component.json. Strings may hold placeholders: `{{group.property}}`. */
export interface TreeNode {
  kind: 'box' | 'text' | 'counter' | 'rating' | 'polygon' | 'cutout' | 'table' | 'path' | 'arc' | 'pie' | 'plot' | 'code' | 'ticker';
  /** Group whose settings and text it shows. */
  group?: string;
  /** Repeats the node for each given group with this stem: `rectangle` for rectangle1, rectangle2, … */
  each?: string;
  /** Repeats the node for each entry of a list setting, or for each number from a number setting down to 1; fills `{{item}}`. */
  for?: string;
  /** Omits the node if this evaluates to an empty value, `none` or `false`. */
  if?: string;
  /** Style that settings override. */
  style?: Record<string, string | number>;
  /** Style that overrides settings. */
  fixed?: Record<string, string | number>;
  /** Style in boxes that are longer than wide, over `style`. */
  portrait?: Record<string, string | number>;
  /** Style in about square boxes, over `style`. */
  square?: Record<string, string | number>;
  /** Colour behind the node where it has no background of its own; readable text colours depend on it. */
  backdrop?: string;
  text?: string;
  /** Letters, words or lines that move one after the other. */
  split?: 'letters' | 'words' | 'lines';
  motion?: Partial<Record<MotionProperty, MotionKey[]>>;
  /** Motion at the end of the element; its keyframes count from the end and are negative or 0. */
  exit?: Partial<Record<MotionProperty, MotionKey[]>>;
  /** Moving nodes inside follow its motion. */
  'moves-children'?: boolean;
  /** Its first child moves up while entries of it enter that have no room below. */
  scrolls?: boolean;
  /** Animation to another style: duration, delay, easing and style properties. Overridden by an `animate` setting. */
  animate?: Record<string, string | number>;
  /** Delay of its motion in milliseconds. */
  delay?: number | string;
  /** Delay between parts of a split text or repeated nodes, in milliseconds. */
  stagger?: number | string;
  order?: 'forward' | 'random';
  /** Limits of a text with automatic size. */
  /** `together`: texts of the same name are as large as the smallest of them. */
  fit?: { lines?: number; min?: string; max?: string; together?: string };
  /** For `path`: SVG path in a square of 100 units. */
  path?: string;
  /** For `path`: fraction from the left in the text colour; the rest has the colour `off`. For `arc`: fraction of the circle. */
  share?: number | string;
  /** For `arc` and `pie`: width of the ring as a fraction of the radius; 1 is a full disc. */
  thickness?: number;
  /** For `ticker`: movement to the left per second, a length. */
  speed?: string;
  off?: string;
  children?: TreeNode[];
}

/** Animatable properties of a node. */
export type MotionProperty =
  | `shift-${'x' | 'y'}`
  | `scale${'' | '-x' | '-y'}`
  | 'rotate'
  | 'opacity'
  | 'sweep'
  | `reveal-${'left' | 'right' | 'top' | 'bottom'}`;

interface MotionKey {
  /** Milliseconds after the node's delay, or a percentage of the element's duration. */
  at: number | string;
  value: number | string;
  easing?: string;
}
