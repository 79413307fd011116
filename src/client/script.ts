import type { Script } from '../contract/index.js';

/** A string with a placeholder or an expression: `'{{name}}'`, `'{{seconds * 2}}'`. */
export type Expression = `${string}{{${string}}}${string}`;

/** `font_size` → `font-size`. */
type Hyphenated<Name extends string> = Name extends `${infer Head}_${infer Rest}` ? `${Head}-${Hyphenated<Rest>}` : Name;

/** A value as scripts may write it: any value except `type` may be an expression, and most properties may be written with hyphens. */
type Written<Value> = Value extends string | number | boolean
  ? Value | Expression
  : Value extends ReadonlyArray<infer Item>
    ? ReadonlyArray<Written<Item>> | Expression
    : Value extends object
      ? WrittenObject<Value>
      : Value;

type WrittenObject<Value> = {
  [Name in keyof Value]: Name extends 'type' ? Value[Name] : Written<Value[Name]>;
} & {
  [Name in keyof Value as Name extends Script.HyphenatedName ? Hyphenated<Name> : never]?: Written<Value[Name]>;
};

/** A movie script, the body of a render request. */
export type MovieScript = WrittenObject<Script.Movie>;
/** A scene of a movie script. */
export type SceneScript = Written<Script.MovieScene>;
/** An element of a scene or of the movie. */
export type ElementScript = Written<Script.MovieElement>;
