import type { EditorView } from '@codemirror/view';
import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import type { ComponentList, InstalledComponent, JsonSchema } from '../../contract/index.js';
import { Connection } from '../api/connection.js';
import { showProblem } from '../editor/create-editor.js';
import type { Insertion } from '../script/insertions.js';
import { ScriptSchema } from '../script/schema-walk.js';
import { withValues } from '../script/variables.js';
import { LivePreview, type PreviewInput, type Problem } from './live-preview.js';
import { Player } from './player.js';
import { Renders } from './renders.js';
import { SceneStills } from './scene-stills.js';
import { Session } from './session.js';
import { Thumbnails } from './thumbnails.js';

/** Panels beside the script. */
export type PanelName = 'script' | 'gallery' | 'variables' | 'renders';

const diagnosisPauseMs = 250;

/** State and commands of the page. */
export interface Studio {
  session: Session;
  connection: Connection;
  preview: LivePreview;
  player: Player;
  renders: Renders;
  thumbnails: Thumbnails;
  stills: SceneStills;
  text: Signal<string>;
  /** Undefined while the text is not valid JSON. */
  movie: ReadonlySignal<unknown>;
  /** Values of the variables form, by name. */
  values: Signal<Readonly<Record<string, unknown>>>;
  problem: ReadonlySignal<Problem | undefined>;
  /** Path of the value at the cursor. */
  cursor: Signal<ReadonlyArray<string | number>>;
  panel: Signal<PanelName>;
  editor: Signal<EditorView | undefined>;
  schema: Signal<ScriptSchema | undefined>;
  /** Empty until loadComponents is called. */
  components: Signal<readonly InstalledComponent[]>;
  loadComponents(): void;
  notice: Signal<string>;
  insert(insertion: Insertion | undefined, notice: string): void;
  render(): void;
}

/** Creates the state of the page; `first` is the script when the tab has none. */
export function createStudio(base: URL, first: { text: string; at: number }): Studio {
  const session = new Session();
  const connection = new Connection(base, () => session.key.peek());
  connection.onRefusedKey = () => session.leave();
  const text = signal(session.script ?? first.text);
  const movie = computed(() => parse(text.value));
  const values = signal<Readonly<Record<string, unknown>>>({});
  const input = (): PreviewInput | undefined =>
    session.key.peek() === '' || movie.peek() === undefined ? undefined : { movie: movie.peek(), variables: values.peek() };
  const preview = new LivePreview(connection, input);
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
    stills: new SceneStills(connection, preview, input),
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

/** Connects the parts with effects. */
function connect(studio: Studio): void {
  const { session, preview, player, renders, text, movie, values, problem, editor, schema, components, connection } = studio;
  let isFirst = true;
  effect(() => {
    const key = session.key.value;
    untracked(() => {
      if (key === '') renders.forget();
      else void renders.load().catch(() => undefined);
      preview.invalidate({ atOnce: true });
    });
  });
  effect(() => {
    session.saveScript(text.value);
    const isReadable = movie.value !== undefined;
    void values.value;
    untracked(() => {
      // The editor completes settings of components.
      if (text.peek().includes('"component"')) studio.loadComponents();
      if (!isFirst && isReadable) {
        // An edit returns from a rendered video to the preview.
        renders.watched.value = undefined;
        player.pause();
        preview.invalidate();
      }
      isFirst = false;
    });
  });
  effect(() => {
    const wrong = problem.value;
    const view = editor.value;
    // Delayed, so that unfinished words are not marked.
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

const requested = new WeakSet<Studio>();

/** Loads the installed components once, when they are first needed. */
function loadComponents(studio: Studio): void {
  if (requested.has(studio) || studio.session.key.peek() === '') return;
  requested.add(studio);
  studio.connection.json<ComponentList>('api/components').then(
    (response) => {
      studio.components.value = response.components;
      studio.schema.value = studio.schema.peek()?.with(response.components);
    },
    () => requested.delete(studio),
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
