import { type Range, RangeSet } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin } from '@codemirror/view';

const maxDepth = 12;
const marks = Array.from({ length: maxDepth + 1 }, (_, depth) => Decoration.line({ class: `cm-hang-${depth}` }));

/** Indents wrapped lines. It uses classes, because the content security policy forbids style attributes. */
export const hangingIndent = [
  ViewPlugin.define(
    (view) => ({
      lines: indents(view),
      update({ docChanged, viewportChanged, view: changed }) {
        if (docChanged || viewportChanged) this.lines = indents(changed);
      },
    }),
    { decorations: (plugin) => plugin.lines as DecorationSet },
  ),
  EditorView.theme(
    Object.fromEntries(
      marks.map((_, depth) => [`.cm-line.cm-hang-${depth}`, { paddingLeft: `calc(6px + ${depth * 2 + 2}ch)`, textIndent: `-${depth * 2 + 2}ch` }]),
    ),
  ),
];

function indents(view: EditorView): DecorationSet {
  const found: Array<Range<Decoration>> = [];
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      const spaces = /^ */.exec(line.text)?.[0].length ?? 0;
      const mark = marks[Math.min(Math.floor(spaces / 2), maxDepth)];
      if (mark !== undefined) found.push(mark.range(line.from));
      at = line.to + 1;
    }
  }
  return RangeSet.of(found, true);
}
