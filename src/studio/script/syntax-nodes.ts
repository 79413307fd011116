import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode, Tree } from '@lezer/common';

/** Keys and indices from the root to a value. */
export type Path = ReadonlyArray<string | number>;

const valueNames = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);

/** True for a node of a JSON value. */
export function isValue(node: SyntaxNode | null | undefined): node is SyntaxNode {
  return node !== null && node !== undefined && valueNames.has(node.name);
}

const maxParseMs = 1500;

/** Syntax tree of the whole text; the editor itself parses only what it shows. */
export function treeOf(state: EditorState): Tree {
  return ensureSyntaxTree(state, state.doc.length, maxParseMs) ?? syntaxTree(state);
}

/** The top-level value. */
export function rootValue(state: EditorState): SyntaxNode | undefined {
  return childValues(treeOf(state).topNode)[0];
}

/** Value nodes below an array, a property or the root. */
export function childValues(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) if (isValue(child)) found.push(child);
  return found;
}

/** A property of an object. */
export interface Property {
  name: string;
  nameNode: SyntaxNode;
  node: SyntaxNode;
  /** Undefined while the value is not yet written. */
  value: SyntaxNode | undefined;
}

/** All properties of an object. */
export function propertiesOf(state: EditorState, object: SyntaxNode): Property[] {
  const found: Property[] = [];
  for (let child = object.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== 'Property') continue;
    const nameNode = child.getChild('PropertyName');
    if (nameNode !== null) found.push({ name: nameOf(state, nameNode), nameNode, node: child, value: childValues(child)[0] });
  }
  return found;
}

/** The text of a string node, without quotes. */
export function nameOf(state: EditorState, node: SyntaxNode): string {
  const text = state.sliceDoc(node.from, node.to);
  try {
    return String(JSON.parse(text));
  } catch {
    return text.replace(/^"|"$/g, '');
  }
}

function memberOf(state: EditorState, node: SyntaxNode | undefined, key: string | number): SyntaxNode | undefined {
  if (node === undefined) return undefined;
  if (node.name === 'Array') return childValues(node)[Number(key)];
  if (node.name !== 'Object') return undefined;
  return propertiesOf(state, node).find(({ name }) => name === String(key))?.value;
}

/** The value at a path; undefined when there is none. */
export function nodeAt(state: EditorState, path: Path): SyntaxNode | undefined {
  return path.reduce<SyntaxNode | undefined>((node, key) => memberOf(state, node, key), rootValue(state));
}

/**
 * First line of the value at a dotted path, or of its nearest existing ancestor. The range of a property begins with its name.
 * Keys may contain dots; the longest matching name is used.
 */
export function rangeOf(state: EditorState, dotted: string): { from: number; to: number } {
  let node = rootValue(state);
  if (node === undefined) return { from: 0, to: 0 };
  let range = { from: node.from, to: Math.min(node.to, state.doc.lineAt(node.from).to) };
  let rest = dotted;
  while (rest !== '') {
    const step = stepInto(state, node, rest);
    if (step === undefined) return range;
    range = step.range;
    if (step.value === undefined) return range;
    node = step.value;
    rest = step.rest;
  }
  return range;
}

interface Step {
  range: { from: number; to: number };
  value: SyntaxNode | undefined;
  rest: string;
}

function stepInto(state: EditorState, node: SyntaxNode, rest: string): Step | undefined {
  if (node.name === 'Array') {
    const [, index = '', further = ''] = /^(\d+)(?:\.(.*))?$/.exec(rest) ?? [];
    const value = index === '' ? undefined : childValues(node)[Number(index)];
    return value === undefined ? undefined : { range: firstLineOf(state, value.from, value.to), value, rest: further };
  }
  if (node.name !== 'Object') return undefined;
  const fitting = propertiesOf(state, node).filter(({ name }) => rest === name || rest.startsWith(`${name}.`));
  const best = fitting.sort((a, b) => b.name.length - a.name.length)[0];
  if (best === undefined) return undefined;
  const { name, node: property, value } = best;
  return { range: firstLineOf(state, property.from, property.to), value, rest: rest.slice(name.length + 1) };
}

/** Limits a range to its first line: marks of whole objects would cover pages. */
function firstLineOf(state: EditorState, from: number, to: number): { from: number; to: number } {
  return { from, to: Math.min(to, state.doc.lineAt(from).to) };
}

/** The path of the value at a position. */
export function pathAt(state: EditorState, position: number): Array<string | number> {
  const path: Array<string | number> = [];
  let node: SyntaxNode | null = treeOf(state).resolveInner(position, -1);
  for (; node !== null; node = node.parent) {
    const { parent }: SyntaxNode = node;
    if (parent?.name === 'Array' && isValue(node)) path.unshift(childValues(parent).findIndex((value) => value.from === node?.from));
    if (node.name === 'Property') {
      const name = node.getChild('PropertyName');
      if (name !== null) path.unshift(nameOf(state, name));
    }
  }
  return path;
}
