import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ListedTemplate, Template, TemplateList } from '../../contract/index.js';
import { replaceAll } from '../script/insertions.js';
import { type FormVariable, variablesOf } from '../script/variables.js';
import { toProblem } from '../state/live-preview.js';
import type { Studio } from '../state/studio.js';
import { formatAge } from './readable.js';

/** Form for the variables of the script, and the templates of the account. */
export function VariablesPanel({ studio }: { studio: Studio }) {
  if (studio.panel.value !== 'variables') return null;
  const fields = variablesOf(studio.movie.value);
  return (
    <section class="panel" aria-label="Variables and templates">
      <div class="panel-head">
        <h2>Variables</h2>
        {Object.keys(studio.values.value).length > 0 && (
          <button type="button" class="plain small" onClick={() => (studio.values.value = {})}>
            As in the script
          </button>
        )}
      </div>
      <div class="panel-body">
        {fields.length === 0 ? (
          <p class="empty">
            The script has no variables. Declare some, <code>"variables": {'{ "title": "Hello" }'}</code>, and use them in any text: <code>{'{{title}}'}</code>
          </p>
        ) : (
          <form class="fields" onSubmit={(event) => event.preventDefault()}>
            {fields.map((field) => (
              <Field key={field.name} field={field} studio={studio} />
            ))}
          </form>
        )}
        <Templates studio={studio} />
      </div>
    </section>
  );
}

function Field({ field, studio }: { field: FormVariable; studio: Studio }) {
  const { name, kind } = field;
  const value = studio.values.value[name] ?? field.value ?? '';
  const id = `variable-${name}`;
  const set = (given: unknown): void => {
    studio.values.value = { ...studio.values.peek(), [name]: given };
  };
  if (kind === 'boolean')
    return (
      <label class="check">
        <input type="checkbox" checked={value === true} onChange={(event) => set(event.currentTarget.checked)} />
        {name}
      </label>
    );
  return (
    <div class="field">
      <label for={id}>{name}</label>
      {kind === 'number' ? (
        <input
          id={id}
          type="number"
          step="any"
          value={String(value)}
          onInput={({ currentTarget: { valueAsNumber } }) => Number.isNaN(valueAsNumber) || set(valueAsNumber)}
        />
      ) : (
        <input
          id={id}
          type="text"
          value={String(value)}
          placeholder={field.value === undefined ? 'not declared' : ''}
          onInput={(event) => set(event.currentTarget.value)}
        />
      )}
    </div>
  );
}

function Templates({ studio }: { studio: Studio }) {
  const { connection } = studio;
  const listed = useSignal<ListedTemplate[] | undefined>(undefined);
  const name = useSignal('');
  const wrong = useSignal('');
  const load = async (): Promise<void> => {
    listed.value = (await connection.json<TemplateList>('api/templates')).templates;
  };
  const attempt = (work: () => Promise<void>): void => {
    wrong.value = '';
    work().catch((error: unknown) => {
      wrong.value = toProblem(error).message;
    });
  };
  useEffect(() => attempt(load), []);
  const save = async (): Promise<void> => {
    await connection.json('api/templates', { method: 'POST', body: { name: name.peek().trim(), script: studio.movie.peek() } });
    studio.notice.value = `Saved as ${name.peek().trim()}`;
    name.value = '';
    await load();
  };
  const open = async (id: string): Promise<void> => {
    const { script, name: opened } = await connection.json<Template>(`api/templates/${encodeURIComponent(id)}`);
    const view = studio.editor.peek();
    studio.values.value = {};
    if (view !== undefined) studio.insert(replaceAll(view.state, script), `Opened ${opened}. Undo brings the former script back`);
  };
  return (
    <section class="templates" aria-label="Templates">
      <h3>Templates</h3>
      <form
        class="save"
        onSubmit={(event) => {
          event.preventDefault();
          attempt(save);
        }}
      >
        <label class="unseen" for="template-name">
          Name of the template
        </label>
        <input
          id="template-name"
          type="text"
          maxLength={200}
          placeholder="Name"
          value={name.value}
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
        <button type="submit" class="plain" disabled={name.value.trim() === '' || studio.movie.value === undefined}>
          Save
        </button>
      </form>
      <p class="wrong" role="alert">
        {wrong.value}
      </p>
      {listed.value?.length === 0 && (
        <p class="empty">None yet. A template keeps the script with its {'{{placeholders}}'}; the interface renders it with other values.</p>
      )}
      <ul class="rows">
        {(listed.value ?? []).map(({ id, name: title, updated_at }) => (
          <li key={id}>
            <button type="button" class="row" onClick={() => attempt(() => open(id))}>
              <b>{title}</b>
              <small>{formatAge(updated_at)}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
