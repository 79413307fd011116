import type { ChangeSpec, EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import { formatJson } from './format-json.js';
import { childValues, nodeAt, pathAt, propertiesOf } from './syntax-nodes.js';

/** A change of the script's text and the selection after it. */
export interface Insertion {
  changes: ChangeSpec;
  /** Range in the changed text. */
  select: { from: number; to: number };
}

/** Index of the scene at the cursor, or else `shown`. */
export function sceneIndexAt(state: EditorState, shown: number): number {
  const [first, second] = pathAt(state, state.selection.main.head);
  const count = childrenOf(nodeAt(state, ['scenes']));
  const wanted = first === 'scenes' && typeof second === 'number' ? second : shown;
  return Math.min(Math.max(wanted, 0), Math.max(count - 1, 0));
}

function childrenOf(node: SyntaxNode | undefined): number {
  return node === undefined ? 0 : childValues(node).length;
}

/** Appends an element to a scene; undefined when the scene does not exist. */
export function insertElement(state: EditorState, scene: number, element: object): Insertion | undefined {
  const elements = nodeAt(state, ['scenes', scene, 'elements']);
  if (elements?.name === 'Array') return append(state, elements, element);
  const owner = nodeAt(state, ['scenes', scene]);
  return owner?.name === 'Object' ? setProperty(state, owner, 'elements', [element]) : undefined;
}

/** Sets a property of a scene; undefined when the scene does not exist. */
export function setOnScene(state: EditorState, scene: number, name: string, value: unknown): Insertion | undefined {
  const owner = nodeAt(state, ['scenes', scene]);
  return owner?.name === 'Object' ? setProperty(state, owner, name, value) : undefined;
}

/** The text element at the cursor. */
export function textElementAt(state: EditorState): SyntaxNode | undefined {
  const path = pathAt(state, state.selection.main.head);
  const at = path.lastIndexOf('elements');
  if (at < 0 || path.length < at + 2) return undefined;
  const element = nodeAt(state, path.slice(0, at + 2));
  const kind = element === undefined ? undefined : propertiesOf(state, element).find(({ name }) => name === 'type')?.value;
  return kind !== undefined && state.sliceDoc(kind.from, kind.to) === '"text"' ? element : undefined;
}

/** Sets a property of an object. */
export function setProperty(state: EditorState, object: SyntaxNode, name: string, value: unknown): Insertion {
  const properties = propertiesOf(state, object);
  const existing = properties.find((property) => property.name === name);
  if (existing !== undefined) {
    const indent = indentAt(state, existing.node.from);
    const text = `${JSON.stringify(name)}: ${formatJson(value, indent)}`;
    return replace(existing.node.from, existing.node.to, text);
  }
  const last = properties[properties.length - 1]?.node;
  return addAfter(state, object, last, (indent) => `${JSON.stringify(name)}: ${formatJson(value, indent)}`);
}

function append(state: EditorState, array: SyntaxNode, value: unknown): Insertion {
  const values = childValues(array);
  return addAfter(state, array, values[values.length - 1], (indent) => formatJson(value, indent));
}

/** Inserts after the last member of an object or array; on a new line unless all members share one. */
function addAfter(state: EditorState, owner: SyntaxNode, last: SyntaxNode | undefined, write: (indent: string) => string): Insertion {
  const { doc } = state;
  const outer = indentAt(state, owner.from);
  const isMultiline = last !== undefined && doc.lineAt(owner.from).number !== doc.lineAt(last.from).number;
  const indent = isMultiline ? indentAt(state, last.from) : `${outer}  `;
  const text = write(indent);
  if (last === undefined)
    return replace(owner.from + 1, Math.max(owner.from + 1, owner.to - 1), `\n${indent}${text}\n${outer}`, indent.length + 1, text.length);
  if (isMultiline) return replace(last.to, last.to, `,\n${indent}${text}`, indent.length + 2, text.length);
  return text.includes('\n') || doc.lineAt(last.to).length + text.length > 120
    ? replace(last.to, owner.to - 1, `,\n${indent}${text}\n${outer}`, indent.length + 2, text.length)
    : replace(last.to, last.to, `, ${text}`, 2, text.length);
}

function replace(from: number, to: number, insert: string, skip = 0, length = insert.length): Insertion {
  return { changes: { from, to, insert }, select: { from: from + skip, to: from + skip + length } };
}

function indentAt(state: EditorState, position: number): string {
  return /^\s*/.exec(state.doc.lineAt(position).text)?.[0] ?? '';
}

/** Replaces the whole script. */
export function replaceAll(state: EditorState, script: unknown): Insertion {
  const text = `${formatJson(script)}\n`;
  return { changes: { from: 0, to: state.doc.length, insert: text }, select: { from: 0, to: 0 } };
}
