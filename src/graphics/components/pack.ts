/** A pack as its folder has it, once read and found valid. */
export interface Pack {
  name: string;
  version: string;
  title: string;
  folder: string;
  components: Component[];
}

export interface Component {
  /** `pack/name`, as scripts say it. */
  id: string;
  title: string;
  description: string;
  /** Length of its introduction: what an element of natural length lasts. */
  seconds: Seconds;
  settings: SettingsSchema;
  preview: Preview;
  body: { kind: 'native'; root: TreeNode } | { kind: 'html'; html: string };
}

/** A number, or milliseconds found in a setting, with seconds added. */
export type Seconds = number | { setting: string; add?: number };

/** What a component looks like in a list: its settings, in front of a plain movie. */
export interface Preview {
  settings: Record<string, unknown>;
  width: number;
  height: number;
  seconds: number;
  background: string;
  /** Instants of the strip. */
  at: number[];
}

/** JSON Schema of a component's settings: groups of properties. */
export interface SettingsSchema {
  properties?: Record<string, GroupSchema>;
  /** Numbered groups, like `^rectangle([1-9]|10)$`. */
  patternProperties?: Record<string, GroupSchema>;
}

export interface GroupSchema {
  description?: string;
  properties?: Record<string, PropertySchema>;
  /** false: only the properties listed here, no others of a style. */
  'x-style'?: boolean;
}

export interface PropertySchema {
  type?: string | string[];
  description?: string;
  default?: unknown;
  [keyword: string]: unknown;
}

export const nodeKinds = ['box', 'text', 'counter', 'rating', 'polygon', 'cutout', 'table', 'path'] as const;

/** One node of component.json. Strings may hold placeholders: `{{group.property}}`. */
export interface TreeNode {
  kind: (typeof nodeKinds)[number];
  /** Whose settings it wears and shows. */
  group?: string;
  /** One node for each numbered group that is given: `rectangle` for rectangle1, rectangle2, … */
  each?: string;
  /** Left out where this comes to an empty value, `none` or `false`. */
  if?: string;
  /** Below what the settings say. */
  style?: Record<string, string | number>;
  /** Above what the settings say. */
  fixed?: Record<string, string | number>;
  text?: string;
  /** Letters, words or lines that move one after the other. */
  split?: 'letters' | 'words' | 'lines';
  motion?: Partial<Record<MotionProperty, MotionKey[]>>;
  /** A journey to another look: duration, delay, easing and style properties. Settings with an `animate` win. */
  animate?: Record<string, string | number>;
  /** Milliseconds before its motion begins. */
  delay?: number | string;
  /** Milliseconds from one part of a split text, or one repeated node, to the next. */
  stagger?: number | string;
  order?: 'forward' | 'random';
  /** Of a text of size `auto`. */
  fit?: { lines?: number; min?: string; max?: string };
  /** Of kind path: SVG path in a square of 100 units. */
  path?: string;
  /** Of kind path: the part of it, from the left, that has the text colour; the rest has `off`. */
  share?: number;
  off?: string;
  children?: TreeNode[];
}

export const motionProperties = [
  'shift-x',
  'shift-y',
  'scale',
  'scale-x',
  'scale-y',
  'rotate',
  'opacity',
  'reveal-left',
  'reveal-right',
  'reveal-top',
  'reveal-bottom',
] as const;
export type MotionProperty = (typeof motionProperties)[number];

export interface MotionKey {
  /** Milliseconds from the node's delay on. */
  at: number | string;
  value: number | string;
  easing?: string;
}
