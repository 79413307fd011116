import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { insertElement, replaceAll, sceneIndexAt, setOnScene, setProperty, textElementAt } from '../script/insertions.js';
import { namedValues, type ScriptSchema } from '../script/schema-walk.js';
import type { Studio } from '../state/studio.js';
import { type Example, examples } from './examples.js';
import { animations, captions, components, type Piece, textStyles, transitions } from './pieces.js';
import { Thumbnail } from './thumbnail.js';

const categories = ['Examples', 'Components', 'Text', 'Animations', 'Captions', 'Transitions'] as const;
type Category = (typeof categories)[number];

export function GalleryPanel({ studio }: { studio: Studio }) {
  const category = useSignal<Category>('Examples');
  // Memoized: effects of the thumbnails depend on the identity of the pieces.
  const schema = studio.schema.value;
  const installed = studio.components.value;
  const pieces = useMemo(
    () => (category.value === 'Components' ? components(installed) : piecesOf(category.value, schema)),
    [category.value, schema, installed],
  );
  if (category.value === 'Components') studio.loadComponents();
  if (studio.panel.value !== 'gallery') return null;
  return (
    <section class="panel" aria-label="Gallery">
      <div class="panel-head">
        <h2>Gallery</h2>
      </div>
      <Tabs category={category} />
      <div class="panel-body" role="tabpanel" id="gallery-category" aria-labelledby={`tab-${category.value}`}>
        <ul class="cards" data-category={category.value}>
          {category.value === 'Examples'
            ? examples.map((example) => (
                <Card
                  key={example.title}
                  studio={studio}
                  title={example.title}
                  note={String(example.script.comment ?? '')}
                  movie={example.script}
                  at={example.at}
                  onUse={() => openExample(studio, example)}
                />
              ))
            : pieces.map((piece) => (
                <Card
                  key={piece.name}
                  studio={studio}
                  title={piece.name}
                  note={piece.note}
                  movie={piece.movie}
                  at={piece.at}
                  moments={piece.moments}
                  onUse={() => use(studio, piece)}
                />
              ))}
        </ul>
      </div>
    </section>
  );
}

function Tabs({ category }: { category: Signal<Category> }) {
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    category.value = categories[(categories.indexOf(category.peek()) + step + categories.length) % categories.length] ?? 'Examples';
    document.getElementById(`tab-${category.peek()}`)?.focus();
    event.preventDefault();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Shelves" onKeyDown={move}>
      {categories.map((name) => (
        <button
          key={name}
          id={`tab-${name}`}
          type="button"
          role="tab"
          aria-selected={category.value === name}
          aria-controls="gallery-category"
          tabIndex={category.value === name ? 0 : -1}
          onClick={() => (category.value = name)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

const still: readonly number[] = [];

interface CardParts {
  studio: Studio;
  title: string;
  note: string;
  movie: object;
  at: number;
  moments?: readonly number[];
  onUse: () => void;
}

function Card({ studio, title, note, movie, at, moments = still, onUse }: CardParts) {
  const isLookedAt = useSignal(false);
  const look = (looking: boolean) => () => {
    isLookedAt.value = looking;
  };
  return (
    <li>
      <button type="button" class="card" onClick={onUse} onPointerEnter={look(true)} onPointerLeave={look(false)} onFocus={look(true)} onBlur={look(false)}>
        <Thumbnail thumbnails={studio.thumbnails} movie={movie} at={at} moments={isLookedAt.value ? moments : still} />
        <b>{title}</b>
        {note !== '' && <small>{note}</small>}
      </button>
    </li>
  );
}

/** Styles, animations and transitions that the schema of the service names. */
function piecesOf(category: Category, schema: ScriptSchema | undefined): Piece[] {
  if (schema === undefined || category === 'Examples') return [];
  const namesOf = (type: string, path: ReadonlyArray<string | number>): string[] =>
    namedValues(schema.at(path, (at) => (at[at.length - 1] === 'type' ? type : undefined))).filter((value) => typeof value === 'string');
  const element = ['scenes', 0, 'elements', 0];
  if (category === 'Text') return textStyles(namesOf('text', [...element, 'style']));
  if (category === 'Animations') return animations(namesOf('text', [...element, 'animate', 'in']), namesOf('text', [...element, 'animate', 'out']));
  if (category === 'Captions') return captions(namesOf('subtitles', [...element, 'settings', 'style']));
  // Aliases, names that require a direction, and those that depend on more than their name.
  const others = new Set(['wipe', 'slide', 'smooth', 'cover', 'reveal', 'push', 'whip-pan', 'page-curl', 'cross-dissolve', 'zoom', 'luma', 'morph']);
  return transitions(namesOf('text', ['scenes', 0, 'transition', 'style']).filter((name) => !others.has(name)));
}

function openExample(studio: Studio, { title, script, at }: Example): void {
  const view = studio.editor.peek();
  if (view === undefined) return;
  studio.values.value = {};
  studio.player.aim(at);
  studio.insert(replaceAll(view.state, script), `Opened “${title}”. Undo brings the former script back`);
}

function use(studio: Studio, { insert, name }: Piece): void {
  const view = studio.editor.peek();
  if (view === undefined) return;
  const { state } = view;
  const scene = sceneIndexAt(state, shownScene(studio));
  if (insert.what === 'transition') {
    const into = Math.max(scene, 1);
    studio.insert(setOnScene(state, into, 'transition', { style: insert.style, duration: 1 }), `Scene ${into + 1} comes in by ${name}`);
    return;
  }
  if (insert.what === 'element') {
    studio.insert(insertElement(state, scene, insert.element), `Added to scene ${scene + 1}`);
    return;
  }
  const { property, value } = insert;
  const text = textElementAt(state);
  if (text !== undefined) {
    studio.insert(setProperty(state, text, property, value), `The text has ${property} ${name}`);
    return;
  }
  const element = { type: 'text', text: 'Your words', [property]: value, font_size: '8vw', color: '#ffffff' };
  studio.insert(insertElement(state, scene, element), `Added to scene ${scene + 1}`);
}

function shownScene({ preview, player }: Studio): number {
  const time = player.time.peek();
  const scenes = preview.plan.peek()?.scenes ?? [];
  const shown = scenes.filter(({ start }) => start <= time).length - 1;
  // Iterations create more scenes than the script has; paths refer to the script.
  return Number(scenes[shown]?.path.split('.')[1] ?? 0);
}
