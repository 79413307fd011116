import type { EditorView } from '@codemirror/view';
import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import type { ComponentList, InstalledComponent, JsonSchema } from '../../contract/index.js';
import { Connection } from '../api/connection.js';
import { showProblem } from '../editor/create-editor.js';
import type { Insertion } from '../script/insertions.js';
import { ScriptSchema } from '../script/schema-walk.js';
import { withValues } from '../script/variables.js';
import { LivePreview, type Problem, type Wanted } from './live-preview.js';
import { Player } from './player.js';
import { Renders } from './renders.js';
import { SceneStills } from './scene-stills.js';
import { Session } from './session.js';
import { Thumbnails } from './thumbnails.js';

export type PanelName = 'script' | 'gallery' | 'variables' | 'renders';

const diagnosisPauseMs = 250;

/** Everything that the page knows, and what can be done with it. */
export interface Studio {
  session: Session;
  connection: Connection;
  preview: LivePreview;
  player: Player;
  renders: Renders;
  thumbnails: Thumbnails;
  stills: SceneStills;
  text: Signal<string>;
  /** Undefined while the text is no JSON. */
  movie: ReadonlySignal<unknown>;
  /** Given in the form, by name. */
  values: Signal<Readonly<Record<string, unknown>>>;
  problem: ReadonlySignal<Problem | undefined>;
  /** Path of what the cursor is in. */
  cursor: Signal<ReadonlyArray<string | number>>;
  panel: Signal<PanelName>;
  editor: Signal<EditorView | undefined>;
  schema: Signal<ScriptSchema | undefined>;
  /** Empty until they are asked for. */
  components: Signal<readonly InstalledComponent[]>;
  loadComponents(): void;
  notice: Signal<string>;
  insert(insertion: Insertion | undefined, notice: string): void;
  render(): void;
}

export function createStudio(base: URL, first: { text: string; at: number }): Studio {
  const session = new Session();
  const connection = new Connection(base, () => session.key.peek());
  connection.onRefusedKey = () => session.leave();
  const text = signal(session.script ?? first.text);
  const movie = computed(() => parse(text.value));
  const values = signal<Readonly<Record<string, unknown>>>({});
  const wanted = (): Wanted | undefined =>
    session.key.peek() === '' || movie.peek() === undefined ? undefined : { movie: movie.peek(), variables: values.peek() };
  const preview = new LivePreview(connection, wanted);
  const renders = new Renders(connection);
  const editor = signal<EditorView | undefined>(undefined);
  const notice = signal('');
  const studio: Studio = {
    session,
    connection,
    preview,
    player: new Player(preview),
    renders,
    thumbnails: new Thumbnails(connection, () => preview.isDrawing.peek()),
    stills: new SceneStills(connection, preview, wanted),
    text,
    movie,
    values,
    problem: computed(() => (movie.value === undefined ? unreadable(text.value) : preview.problem.value)),
    cursor: signal([]),
    panel: signal('script'),
    editor,
    schema: signal(undefined),
    components: signal([]),
    loadComponents: () => loadComponents(studio),
    notice,
    insert: (insertion, said) => insertInto(editor.peek(), insertion, said, notice),
    render: () => {
      if (session.key.peek() !== '' && movie.peek() !== undefined && !renders.isSubmitting.peek()) void renders.submit(withValues(movie.peek(), values.peek()));
    },
  };
  if (text.peek() === first.text) studio.player.aim(first.at);
  connect(studio);
  return studio;
}

/** What follows from what. */
function connect(studio: Studio): void {
  const { session, preview, player, renders, text, movie, values, problem, editor, schema, components, connection } = studio;
  let isFirst = true;
  effect(() => {
    const key = session.key.value;
    untracked(() => {
      if (key === '') renders.forget();
      else void renders.load().catch(() => undefined);
      preview.changed({ atOnce: true });
    });
  });
  effect(() => {
    session.keepScript(text.value);
    const isReadable = movie.value !== undefined;
    void values.value;
    untracked(() => {
      // Their settings are completed.
      if (text.peek().includes('"component"')) studio.loadComponents();
      if (!isFirst && isReadable) {
        // Who writes wants to see it, whatever film was looked at.
        renders.watched.value = undefined;
        player.pause();
        preview.changed();
      }
      isFirst = false;
    });
  });
  effect(() => {
    const wrong = problem.value;
    const view = editor.value;
    // Half a word is no fault yet.
    const timer = setTimeout(() => view !== undefined && showProblem(view, wrong?.inScript === true ? wrong : undefined), diagnosisPauseMs);
    return () => clearTimeout(timer);
  });
  void connection
    .json<JsonSchema>('api/render/schema')
    .then((root) => {
      schema.value = new ScriptSchema(root, components.peek());
    })
    .catch(() => undefined);
}

const asked = new WeakSet<Studio>();

/** Once, when they are first of use. */
function loadComponents(studio: Studio): void {
  if (asked.has(studio) || studio.session.key.peek() === '') return;
  asked.add(studio);
  studio.connection.json<ComponentList>('api/components').then(
    (answer) => {
      studio.components.value = answer.components;
      studio.schema.value = studio.schema.peek()?.with(answer.components);
    },
    () => asked.delete(studio),
  );
}

function insertInto(view: EditorView | undefined, insertion: Insertion | undefined, said: string, notice: Signal<string>): void {
  if (view === undefined) return;
  if (insertion === undefined) {
    notice.value = 'There is no scene to put it in';
    return;
  }
  const { changes, select } = insertion;
  view.dispatch({ changes, selection: { anchor: select.from, head: select.to }, scrollIntoView: true, userEvent: 'input.insert' });
  notice.value = said;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreadable(text: string): Problem {
  try {
    JSON.parse(text);
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/ in JSON at position \d+/, '').replace(/ \(line (\d+) column (\d+)\)/, ' (line $1, column $2)') : '';
    return { code: 'INVALID_JSON', path: '', message: `This is not JSON yet. ${reason}`, inScript: true };
  }
  return { code: 'INVALID_JSON', path: '', message: 'This is not JSON yet.', inScript: true };
}
