import type { OpenedPreview, PreviewElement } from '../../contract/index.js';
import { revealRange } from '../editor/create-editor.js';
import { rangeOf } from '../script/syntax-nodes.js';
import type { Studio } from '../state/studio.js';
import { formatTime } from './readable.js';

interface Bar {
  path: string;
  kind: string;
  label: string;
  start: number;
  duration: number;
}

/** Timeline of the scenes and elements of the latest plan. */
export function Timeline({ studio }: { studio: Studio }) {
  const plan = studio.preview.plan.value;
  if (plan === undefined || plan.duration <= 0) return <div class="timeline" aria-hidden="true" />;
  const cursor = studio.cursor.value.join('.');
  const jump = (bar: Bar, event: MouseEvent): void => {
    const view = studio.editor.peek();
    const isKeyboard = event.detail === 0;
    studio.renders.watched.value = undefined;
    studio.player.seek(isKeyboard ? bar.start : timeAt(event, plan));
    if (view !== undefined) revealRange(view, rangeOf(view.state, bar.path), isKeyboard);
  };
  const lanes = lanesOf(plan);
  return (
    <section class="timeline" aria-label="Timeline: scenes and elements" onKeyDown={moveFocus} data-stale={studio.preview.isPlanStale.value || undefined}>
      <div class="tracks" onPointerDown={(event) => scrub(studio, plan, event)}>
        <Ruler duration={plan.duration} />
        <div class="lane scenes">
          {plan.scenes.map((scene, index) => (
            <BarButton key={scene.path} bar={barOfScene(scene, index)} plan={plan} isFirst={index === 0} isActive={isWithin(cursor, scene.path)} onJump={jump}>
              {studio.stills.urls.value.has(scene.path) && <img class="still" src={studio.stills.urls.value.get(scene.path)} alt="" />}
              {scene.transition !== undefined && (
                <i class="wedge" style={{ width: `${Math.min(100, (scene.transition.duration / Math.max(scene.duration, 0.001)) * 100)}%` }} />
              )}
            </BarButton>
          ))}
        </div>
        {lanes.map((lane) => (
          <div class="lane" key={lane[0]?.path}>
            {lane.map((element) => (
              <BarButton key={element.path} bar={barOfElement(element)} plan={plan} isActive={isWithin(cursor, element.path)} onJump={jump} />
            ))}
          </div>
        ))}
        <Playhead studio={studio} duration={plan.duration} />
      </div>
      <p class="behind">Not yet as the script is</p>
    </section>
  );
}

interface BarButtonParts {
  bar: Bar;
  plan: OpenedPreview;
  isFirst?: boolean;
  isActive: boolean;
  onJump: (bar: Bar, event: MouseEvent) => void;
  children?: preact.ComponentChildren;
}

function BarButton({ bar, plan, isFirst = false, isActive, onJump, children }: BarButtonParts) {
  const share = (seconds: number): string => `${(seconds / plan.duration) * 100}%`;
  const end = Math.min(bar.start + bar.duration, plan.duration);
  return (
    <button
      type="button"
      class="bar"
      tabIndex={isFirst ? 0 : -1}
      data-kind={bar.kind}
      data-active={isActive || undefined}
      style={{ left: share(bar.start), width: share(Math.max(end - bar.start, 0)) }}
      aria-label={`${bar.label}, ${bar.start.toFixed(1)} to ${end.toFixed(1)} seconds`}
      title={`${bar.label}\n${formatTime(bar.start)} – ${formatTime(end)}`}
      onClick={(event) => onJump(bar, event)}
    >
      {children}
      <span>{bar.label}</span>
    </button>
  );
}

function Playhead({ studio, duration }: { studio: Studio; duration: number }) {
  return <i class="playhead" style={{ left: `${Math.min(studio.player.time.value / duration, 1) * 100}%` }} />;
}

function Ruler({ duration }: { duration: number }) {
  const step = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800].find((seconds) => duration / seconds <= 10) ?? 3600;
  const ticks = Array.from({ length: Math.floor((duration * 0.96) / step) + 1 }, (_, index) => index * step);
  return (
    <div class="ruler" aria-hidden="true">
      {ticks.map((tick) => (
        <span key={tick} style={{ left: `${(tick / duration) * 100}%` }}>
          {tick < 60 ? `${tick} s` : formatTime(tick).replace(/\.00$/, '')}
        </span>
      ))}
    </div>
  );
}

function barOfScene({ path, start, duration, transition }: OpenedPreview['scenes'][number], index: number): Bar {
  return { path, kind: 'scene', label: `Scene ${index + 1}${transition === undefined ? '' : `, ${transition.style}`}`, start, duration };
}

function barOfElement({ path, type, label, id, start, duration }: PreviewElement): Bar {
  const words = (label || id || '').replaceAll(/\s+/g, ' ').trim();
  return { path, kind: type, label: words === '' || words === type ? type : `${type}: ${words}`, start, duration };
}

/** One lane per element index within scenes, and one per movie-level element. */
function lanesOf({ scenes, elements }: OpenedPreview): PreviewElement[][] {
  const lanes: PreviewElement[][] = [];
  for (const scene of scenes) {
    scene.elements.forEach((element, index) => {
      lanes[index] ??= [];
      lanes[index].push(element);
    });
  }
  return [...lanes.filter((lane) => lane.length > 0), ...elements.map((element) => [element])];
}

function isWithin(cursor: string, path: string): boolean {
  return cursor === path || cursor.startsWith(`${path}.`);
}

function timeAt(event: MouseEvent, { duration }: OpenedPreview): number {
  const tracks = (event.target as Element).closest('.tracks');
  if (tracks === null) return 0;
  const { left, width } = tracks.getBoundingClientRect();
  return Math.min(Math.max((event.clientX - left) / width, 0), 1) * duration;
}

/** Seeks while the pointer is dragged outside bars. */
function scrub(studio: Studio, plan: OpenedPreview, event: PointerEvent & { currentTarget: HTMLElement }): void {
  if (event.button !== 0 || (event.target as Element).closest('.bar') !== null) return;
  studio.renders.watched.value = undefined;
  const tracks = event.currentTarget;
  const { left, width } = tracks.getBoundingClientRect();
  const follow = ({ clientX }: PointerEvent): void => studio.player.seek(Math.min(Math.max((clientX - left) / width, 0), 1) * plan.duration);
  follow(event);
  tracks.setPointerCapture(event.pointerId);
  tracks.addEventListener('pointermove', follow);
  const end = (): void => tracks.removeEventListener('pointermove', follow);
  tracks.addEventListener('pointerup', end, { once: true });
  tracks.addEventListener('pointercancel', end, { once: true });
}

/** Moves the focus between bars with the arrow keys; Tab reaches only the first bar. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  const bars = [...event.currentTarget.querySelectorAll<HTMLElement>('.bar')];
  const at = bars.indexOf(document.activeElement as HTMLElement);
  const step = steps[event.key];
  if (at < 0 || step === undefined) return;
  bars[(at + step + bars.length) % bars.length]?.focus();
  event.preventDefault();
}
