import type { HyphenedName, Movie, MovieElement, MovieScene } from './contract.generated.js';

/** A text with a placeholder or an expression: `'{{name}}'`, `'{{seconds * 2}}'`. */
export type Expression = `${string}{{${string}}}${string}`;

/** `font_size` → `font-size`. */
type Hyphened<Name extends string> = Name extends `${infer Head}_${infer Rest}` ? `${Head}-${Hyphened<Rest>}` : Name;

/** Any value may be an expression, and most properties may be written with hyphens; what tells kinds apart stays as it is. */
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
  [Name in keyof Value as Name extends HyphenedName ? Hyphened<Name> : never]?: Written<Value[Name]>;
};

/** A movie script: the body of a render request, as schema/movie.schema.json has it. */
export type MovieScript = WrittenObject<Movie>;
/** One of its scenes. */
export type SceneScript = Written<MovieScene>;
/** One thing that is seen or heard in a scene. */
export type ElementScript = Written<MovieElement>;
