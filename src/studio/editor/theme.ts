import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colours are custom properties of the page, which the light and dark themes set. */
const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--ink)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontVariantLigatures: 'none', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '12px 0 40vh', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 16px 0 6px' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--ink-3)', border: 'none', paddingLeft: '4px' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '30px', padding: '0 4px 0 0' },
  '.cm-foldGutter .cm-gutterElement': { width: '14px', textAlign: 'center' },
  '.cm-activeLine': { backgroundColor: 'var(--line-active)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--selection)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--match)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--match)', color: 'inherit' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--field)', border: 'none', color: 'var(--ink-2)', padding: '0 6px' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
    backgroundColor: 'var(--bad-soft)',
  },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0' },
  '.cm-lint-marker': { width: '8px', height: '8px', margin: '6px 3px' },
  '.cm-lint-marker-error': { content: 'none', borderRadius: '50%', backgroundColor: 'var(--bad)' },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--ink)', borderColor: 'var(--edge)' },
});

/** Completions, tooltips, diagnostics and the search panel. */
const popups = EditorView.theme({
  '.cm-tooltip': {
    border: '1px solid var(--edge)',
    borderRadius: '10px',
    backgroundColor: 'var(--panel)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
    zIndex: '40',
  },
  '.cm-tooltip.cm-tooltip-autocomplete': {
    '& > ul': { fontFamily: 'var(--mono)', fontSize: '12.5px', lineHeight: '1.5', maxHeight: '17em', padding: '5px' },
    '& > ul > li': { display: 'flex', justifyContent: 'space-between', gap: '18px', padding: '3px 9px', borderRadius: '6px' },
    '& > ul > li[aria-selected]': { backgroundColor: 'var(--accent-soft)', color: 'var(--ink)' },
  },
  '.cm-tooltip .cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent)', fontWeight: '600' },
  '.cm-tooltip .cm-completionDetail': { margin: '0', font: '12px/1.6 var(--sans)', color: 'var(--ink-2)' },
  '.cm-tooltip.cm-completionInfo': { width: '300px', maxWidth: '300px', padding: '0' },
  '.cm-tooltip-lint .cm-diagnostic': {
    maxWidth: '380px',
    padding: '9px 12px',
    borderLeft: '3px solid var(--bad)',
    font: '13px/1.5 var(--sans)',
    whiteSpace: 'pre-wrap',
  },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px',
    padding: '8px 30px 8px 12px',
    font: '13px var(--sans)',
    '& br': { display: 'none' },
  },
  '.cm-panel.cm-search .cm-textfield': {
    width: 'auto',
    minHeight: '28px',
    border: '1px solid var(--edge-strong)',
    borderRadius: '6px',
    backgroundColor: 'var(--panel)',
  },
  '.cm-panel.cm-search .cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--field)',
    border: '1px solid var(--edge-strong)',
    borderRadius: '6px',
    color: 'var(--ink)',
  },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-name)' },
  { tag: tags.string, color: 'var(--code-text)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--code-word)' },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: 'var(--ink-2)' },
]);

export const editorTheme: Extension = [look, popups, syntaxHighlighting(colours)];
