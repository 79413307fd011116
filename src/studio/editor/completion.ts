import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { startCompletion } from '@codemirror/autocomplete';
import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import type { JsonSchema } from '../../contract/index.js';
import { namedValues, type ScriptSchema, summarize, type TextAt } from '../script/schema-walk.js';
import { isValue, nameOf, nodeAt, pathAt, propertiesOf, treeOf } from '../script/syntax-nodes.js';
import { describeSchema } from './schema-card.js';

/** Completes names and values that the schema allows at the cursor. */
export function createCompletion(schema: () => ScriptSchema | undefined): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const known = schema();
    if (known === undefined) return null;
    const { state, pos } = context;
    const node = treeOf(state).resolveInner(pos, -1);
    if (node.name === 'PropertyName') return completeNames(known, state, node.parent?.parent, node.from, node.to);
    if (node.name === 'String' || node.name === 'Number' || node.name === 'True' || node.name === 'False') return completeValues(known, state, node);
    if (node.name === 'Object' && context.explicit) return completeNames(known, state, node, pos, pos);
    if (node.name === 'Property' || node.parent?.name === 'Property') return completeMissing(known, state, node, pos);
    return null;
  };
}

/** Looks up strings of the script by path. */
export function textsOf(state: EditorState): TextAt {
  return (path) => {
    const node = nodeAt(state, path);
    return node?.name === 'String' ? nameOf(state, node) : undefined;
  };
}

function completeNames(schema: ScriptSchema, state: EditorState, object: SyntaxNode | null | undefined, from: number, to: number): CompletionResult | null {
  if (object === null || object === undefined) return null;
  const present = new Set(propertiesOf(state, object).map(({ name }) => name));
  const offered = schema.propertiesAt(pathAt(state, object.from + 1), textsOf(state));
  const written = state.sliceDoc(from, to).replaceAll('"', '');
  present.delete(written);
  const options: Completion[] = [];
  for (const [name, property] of offered) {
    // Of two spellings only the one with underscores is offered.
    if (present.has(name) || (name.includes('-') && offered.has(name.replaceAll('-', '_')))) continue;
    options.push(nameOption(name, property));
  }
  const inside = state.sliceDoc(from, from + 1) === '"';
  return options.length === 0 ? null : { from: inside ? from + 1 : from, to: inside ? Math.max(from + 1, to - 1) : to, options, validFor: /^[\w-]*$/ };
}

function nameOption(name: string, property: JsonSchema): Completion {
  return {
    label: name,
    detail: summarize({ ...property, default: undefined }),
    type: 'property',
    info: () => describeSchema(name, [property]),
    apply: (view, _completion, from, to) => writeName(view, name, property, from, to),
  };
}

/** Inserts the quoted name, a colon and the start of a value, and places the cursor in the value. */
function writeName(view: EditorView, name: string, property: JsonSchema, from: number, to: number): void {
  const { doc } = view.state;
  const start = doc.sliceString(from - 1, from) === '"' ? from - 1 : from;
  const end = doc.sliceString(to, to + 1) === '"' ? to + 1 : to;
  if (/^\s*:/.test(doc.sliceString(end, end + 20))) {
    view.dispatch({ changes: { from: start, to: end, insert: JSON.stringify(name) }, userEvent: 'input.complete' });
    return;
  }
  const { text, cursor } = startOfValue(property);
  const lead = /["\]}\dle]\s*$/.test(doc.sliceString(Math.max(0, start - 200), start)) ? ', ' : '';
  const trail = /^\s*"/.test(doc.sliceString(end, end + 200)) ? ',' : '';
  const head = `${lead}${JSON.stringify(name)}: `;
  view.dispatch({
    changes: { from: start, to: end, insert: head + text + trail },
    selection: { anchor: start + head.length + cursor },
    userEvent: 'input.complete',
  });
  if (namedValues([property]).length > 0) startCompletion(view);
}

function startOfValue(property: JsonSchema): { text: string; cursor: number } {
  const kinds = [property.type ?? []].flat();
  const choices = property.enum ?? [];
  if (kinds.includes('boolean')) return { text: 'true', cursor: 4 };
  if (kinds.includes('integer') || kinds.includes('number')) {
    const text = typeof property.default === 'number' ? String(property.default) : '0';
    return { text, cursor: text.length };
  }
  if (kinds.includes('array')) return { text: '[]', cursor: 1 };
  if (kinds.includes('object')) return { text: '{}', cursor: 1 };
  return choices.length > 0 && choices.every((choice) => typeof choice === 'number') ? { text: '', cursor: 0 } : { text: '""', cursor: 1 };
}

function completeValues(schema: ScriptSchema, state: EditorState, node: SyntaxNode): CompletionResult | null {
  const path = pathAt(state, node.to);
  const schemas = schema.at(path, textsOf(state));
  const options = namedValues(schemas).filter((value) => typeof value !== 'object' && (typeof value === 'string') === (node.name === 'String'));
  if (options.length === 0) return null;
  const inset = node.name === 'String' ? 1 : 0;
  return {
    from: node.from + inset,
    to: Math.max(node.from + inset, node.to - inset),
    options: options.map((value, index) => ({
      label: String(value),
      type: 'enum',
      boost: -index / 10,
      apply: JSON.stringify(value).slice(inset, inset === 1 ? -1 : undefined),
    })),
    validFor: /^[^"\n]*$/,
  };
}

/** Completes a missing value after a colon. */
function completeMissing(schema: ScriptSchema, state: EditorState, node: SyntaxNode, position: number): CompletionResult | null {
  const property = node.name === 'Property' ? node : node.parent;
  const name = property?.getChild('PropertyName');
  if (property === null || property === undefined || name === null || name === undefined || isValue(property.lastChild)) return null;
  const values = namedValues(schema.at(pathAt(state, name.to), textsOf(state)));
  const options = values.map((value, index) => ({ label: JSON.stringify(value), type: 'enum', boost: -index / 10 }));
  return options.length === 0 ? null : { from: position, options };
}
