import { useEffect } from 'preact/hooks';
import { GalleryPanel } from '../gallery/gallery-panel.js';
import type { PanelName, Studio } from '../state/studio.js';
import { Icon, type IconName } from './icons.js';
import { KeyGate } from './key-gate.js';
import { RendersPanel } from './renders-panel.js';
import { ScriptPanel } from './script-panel.js';
import { listenToKeys } from './shortcuts.js';
import { Stage } from './stage.js';
import { TopBar } from './top-bar.js';
import { VariablesPanel } from './variables-panel.js';

const panels: ReadonlyArray<{ name: PanelName; title: string; icon: IconName }> = [
  { name: 'script', title: 'Script', icon: 'script' },
  { name: 'gallery', title: 'Gallery', icon: 'gallery' },
  { name: 'variables', title: 'Variables', icon: 'variables' },
  { name: 'renders', title: 'Renders', icon: 'renders' },
];

/** The whole page. */
export function App({ studio, nonce }: { studio: Studio; nonce: string }) {
  useEffect(() => listenToKeys(studio), [studio]);
  const isLocked = studio.session.key.value === '';
  return (
    <>
      <div class="app" inert={isLocked} data-panel={studio.panel.value}>
        <TopBar studio={studio} />
        <Rail studio={studio} />
        <main class="workspace">
          <h1 class="unseen">Framewright Studio</h1>
          <div class="side" data-open={studio.panel.value !== 'script' || undefined}>
            <GalleryPanel studio={studio} />
            <VariablesPanel studio={studio} />
            <RendersPanel studio={studio} />
          </div>
          <ScriptPanel studio={studio} nonce={nonce} />
          <Stage studio={studio} />
        </main>
      </div>
      {isLocked && <KeyGate studio={studio} />}
      <div class="unseen" role="status" aria-live="polite">
        {studio.renders.announcement.value}
      </div>
      <Notice studio={studio} />
    </>
  );
}

function Rail({ studio }: { studio: Studio }) {
  const open = (name: PanelName) => {
    studio.panel.value = studio.panel.peek() === name ? 'script' : name;
  };
  const running = studio.renders.jobs.value.filter(({ status }) => status === 'queued' || status === 'processing').length;
  return (
    <nav class="rail" aria-label="Panels">
      {panels.map(({ name, title, icon }) => (
        <button key={name} type="button" aria-pressed={studio.panel.value === name} onClick={() => open(name)} data-name={name}>
          <Icon name={icon} />
          <span>{title}</span>
          {name === 'renders' && running > 0 && (
            <b class="count">
              {running}
              <span class="unseen"> running</span>
            </b>
          )}
        </button>
      ))}
    </nav>
  );
}

const noticeMs = 2600;

/** Shows the last action for a moment. */
function Notice({ studio }: { studio: Studio }) {
  const text = studio.notice.value;
  useEffect(() => {
    if (text === '') return;
    const timer = setTimeout(() => {
      studio.notice.value = '';
    }, noticeMs);
    return () => clearTimeout(timer);
  }, [text, studio]);
  return (
    <div class="notice" role="status" aria-live="polite" data-shown={text !== '' || undefined}>
      {text}
    </div>
  );
}
