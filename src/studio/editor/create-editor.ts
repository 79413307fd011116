import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxTree } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
  type Tooltip,
  tooltips,
} from '@codemirror/view';
import type { ScriptSchema } from '../script/schema-walk.js';
import { nameOf, pathAt, rangeOf } from '../script/syntax-nodes.js';
import { createCompletion, textsOf } from './completion.js';
import { hangingIndent } from './hanging-indent.js';
import { describeSchema } from './schema-card.js';
import { editorTheme } from './theme.js';

/** What the script editor needs. */
export interface EditorParts {
  parent: HTMLElement;
  text: string;
  /** Nonce of the content security policy, for the style sheets that the editor creates. */
  nonce: string;
  schema: () => ScriptSchema | undefined;
  onText: (text: string) => void;
  /** Called with the path of the value at the cursor. */
  onCursor: (path: ReadonlyArray<string | number>) => void;
  onRender: () => void;
}

/** Creates the script editor in `parts.parent`. */
export function createEditor(parts: EditorParts): EditorView {
  const state = EditorState.create({ doc: parts.text, extensions: [writing(), reading(parts), reporting(parts), keys(parts), editorTheme] });
  return new EditorView({ state, parent: parts.parent });
}

function writing(): Extension {
  return [
    lineNumbers(),
    foldGutter({ openText: '⌄', closedText: '›' }),
    codeFolding({ placeholderText: '…' }),
    highlightSpecialChars(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    drawSelection(),
    history(),
    indentOnInput(),
    indentUnit.of('  '),
    EditorState.tabSize.of(2),
    bracketMatching(),
    closeBrackets(),
    EditorView.lineWrapping,
    hangingIndent,
    json(),
  ];
}

function reading({ schema, nonce }: EditorParts): Extension {
  return [
    EditorView.cspNonce.of(nonce),
    EditorView.contentAttributes.of({ 'aria-label': 'Movie script, JSON', tabindex: '0', spellcheck: 'false', autocorrect: 'off', autocapitalize: 'off' }),
    tooltips({ position: 'fixed', parent: document.body }),
    autocompletion({ override: [createCompletion(schema)], icons: false, maxRenderedOptions: 80 }),
    lintGutter(),
    hoverTooltip((view, position) => explain(view, position, schema()), { hoverTime: 450 }),
  ];
}

function explain(view: EditorView, position: number, schema: ScriptSchema | undefined): Tooltip | null {
  const node = syntaxTree(view.state).resolveInner(position, 1);
  if (schema === undefined || node.name !== 'PropertyName') return null;
  const schemas = schema.at(pathAt(view.state, node.to), textsOf(view.state));
  if (schemas.length === 0) return null;
  return { pos: node.from, end: node.to, above: true, create: () => ({ dom: describeSchema(nameOf(view.state, node), schemas) }) };
}

function reporting({ onText, onCursor }: EditorParts): Extension {
  return EditorView.updateListener.of((update) => {
    if (update.docChanged) onText(update.state.doc.toString());
    if (update.docChanged || update.selectionSet) onCursor(pathAt(update.state, update.state.selection.main.head));
  });
}

/** Key bindings. Tab is not bound: it moves the focus. */
function keys({ onRender }: EditorParts): Extension {
  const render = {
    key: 'Mod-Enter',
    run: () => {
      onRender();
      return true;
    },
  };
  return keymap.of([render, ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap]);
}

/** Marks the first JSON syntax error, or else the problem that the service has reported. */
export function showProblem(view: EditorView, problem: { path: string; message: string } | undefined): void {
  const syntax = view.state.doc.length === 0 ? [] : jsonParseLinter()(view);
  const found: Diagnostic[] =
    syntax.length > 0 || problem === undefined ? syntax : [{ ...rangeOf(view.state, problem.path), severity: 'error', message: problem.message }];
  view.dispatch(setDiagnostics(view.state, found));
}

/** Moves the cursor to a range and scrolls it to the centre. */
export function revealRange(view: EditorView, { from, to }: { from: number; to: number }, focus: boolean): void {
  // After the first character, which is inside the value or the name.
  const anchor = Math.min(from + 1, to, view.state.doc.length);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
  if (focus) view.focus();
}
