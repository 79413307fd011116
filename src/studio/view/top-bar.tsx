import type { Theme } from '../state/session.js';
import type { Studio } from '../state/studio.js';
import { Icon, type IconName } from './icons.js';
import mark from './mark.svg';

const themes: ReadonlyArray<{ theme: Theme; icon: IconName; title: string }> = [
  { theme: 'system', icon: 'system', title: 'Theme: as the system' },
  { theme: 'light', icon: 'sun', title: 'Theme: light' },
  { theme: 'dark', icon: 'moon', title: 'Theme: dark' },
];

export function TopBar({ studio }: { studio: Studio }) {
  const { session, renders, preview, movie } = studio;
  const credits = renders.credits.value?.credits_remaining;
  const estimate = preview.plan.value?.estimated_credits;
  const isReady = movie.value !== undefined && studio.problem.value?.inScript !== true && !renders.isSubmitting.value;
  return (
    <header class="top">
      <a class="brand" href="./" aria-label="Framewright Studio">
        <img src={mark} alt="" width="26" height="26" />
        <span>
          Framewright <em>Studio</em>
        </span>
      </a>
      <div class="top-end">
        {credits !== undefined && (
          <span class="credits" title="Credits of the account">
            <b>{credits.toLocaleString('en')}</b> credits
          </span>
        )}
        <ThemeSwitch studio={studio} />
        <button type="button" class="plain icon-only" onClick={() => session.leave()} aria-label="Use another key" title="Use another key">
          <Icon name="key" />
        </button>
        <button type="button" class="main-action" disabled={!isReady} onClick={studio.render} title="Render the movie (Ctrl+Enter in the script)">
          Render
          {estimate !== undefined && (
            <small>
              {estimate} <span class="wide">{estimate === 1 ? 'credit' : 'credits'}</span>
            </small>
          )}
        </button>
      </div>
    </header>
  );
}

function ThemeSwitch({ studio: { session } }: { studio: Studio }) {
  const at = themes.findIndex(({ theme }) => theme === session.theme.value);
  const { icon, title } = themes[at] ?? { icon: 'system' as const, title: '' };
  const next = () => {
    session.theme.value = themes[(at + 1) % themes.length]?.theme ?? 'system';
  };
  return (
    <button type="button" class="plain icon-only" onClick={next} aria-label={title} title={title}>
      <Icon name={icon} />
    </button>
  );
}
