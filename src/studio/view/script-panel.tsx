import { useEffect, useRef } from 'preact/hooks';
import { createEditor, revealRange } from '../editor/create-editor.js';
import { formatJson } from '../script/format-json.js';
import { rangeOf } from '../script/syntax-nodes.js';
import type { Studio } from '../state/studio.js';
import { Icon } from './icons.js';

export function ScriptPanel({ studio, nonce }: { studio: Studio; nonce: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return;
    const view = createEditor({
      parent: place.current,
      text: studio.text.peek(),
      nonce,
      schema: () => studio.schema.peek(),
      onText: (text) => {
        studio.text.value = text;
      },
      onCursor: (path) => {
        studio.cursor.value = path;
      },
      onRender: studio.render,
    });
    studio.editor.value = view;
    return () => view.destroy();
  }, [studio, nonce]);
  const tidy = (): void => {
    const view = studio.editor.peek();
    if (view === undefined || studio.movie.peek() === undefined) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: `${formatJson(studio.movie.peek())}\n` } });
  };
  return (
    <section class="panel script" aria-label="Script">
      <div class="panel-head">
        <h2>Script</h2>
        <button type="button" class="plain small" onClick={tidy} disabled={studio.movie.value === undefined}>
          <Icon name="format" />
          Tidy
        </button>
      </div>
      <div class="editor" ref={place} />
      <ProblemBar studio={studio} />
      <Warnings studio={studio} />
    </section>
  );
}

function show(studio: Studio, path: string): void {
  const view = studio.editor.peek();
  if (view !== undefined) revealRange(view, rangeOf(view.state, path), true);
}

/** Warnings about parts of the script that cannot be rendered as written. */
function Warnings({ studio }: { studio: Studio }) {
  const warnings = studio.problem.value === undefined ? (studio.preview.plan.value?.warnings ?? []) : [];
  if (warnings.length === 0) return null;
  return (
    <ul class="warnings" aria-label="Warnings">
      {warnings.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <span>
            {path !== '' && <code>{path}</code>} {message}
          </span>
          {path !== '' && (
            <button type="button" class="plain small" onClick={() => show(studio, path)} aria-label={`Show ${path}`}>
              Show
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The current error, with a button that shows its location. */
function ProblemBar({ studio }: { studio: Studio }) {
  const { value: problem } = studio.problem;
  return (
    <div class="problem" role="status" aria-live="polite" data-shown={problem !== undefined || undefined}>
      {problem !== undefined && (
        <>
          <Icon name="alert" />
          <p>
            {problem.path !== '' && <code>{problem.path}</code>}
            <span>{problem.message}</span>
          </p>
          {problem.path !== '' && (
            <button type="button" class="plain small" onClick={() => show(studio, problem.path)}>
              Show
            </button>
          )}
        </>
      )}
    </div>
  );
}
