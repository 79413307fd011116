import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from '../api/connection.js';
import type { Studio } from '../state/studio.js';
import mark from './mark.svg';

/** Sign-in dialog; it tests an API key before saving it. */
export function KeyGate({ studio }: { studio: Studio }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const key = useSignal('');
  const remember = useSignal(false);
  const wrong = useSignal('');
  const isTrying = useSignal(false);
  useEffect(() => dialog.current?.showModal(), []);

  const enter = async (event: Event): Promise<void> => {
    event.preventDefault();
    const tried = key.peek().trim();
    if (tried === '') {
      wrong.value = 'Enter a key.';
      return;
    }
    isTrying.value = true;
    try {
      await studio.connection.json('api/credits', { key: tried });
      studio.session.enter(tried, remember.peek());
    } catch (error) {
      wrong.value = error instanceof ApiError ? (error.status === 401 ? 'The service does not know this key.' : error.message) : String(error);
    }
    isTrying.value = false;
  };

  return (
    <dialog ref={dialog} class="gate" aria-labelledby="gate-title" onCancel={(event) => event.preventDefault()}>
      <form onSubmit={(event) => void enter(event)} noValidate>
        <img src={mark} alt="" width="52" height="52" />
        <h2 id="gate-title">Framewright Studio</h2>
        <p>Write a movie, see it while you write, render it.</p>
        <label for="gate-key">API key</label>
        <input
          id="gate-key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="ve_live_…"
          value={key.value}
          aria-invalid={wrong.value !== ''}
          aria-describedby="gate-wrong"
          onInput={(event) => {
            key.value = event.currentTarget.value;
            wrong.value = '';
          }}
        />
        <p id="gate-wrong" class="wrong" role="alert">
          {wrong.value}
        </p>
        <label class="check">
          <input type="checkbox" checked={remember.value} onChange={(event) => (remember.value = event.currentTarget.checked)} />
          Remember it on this computer
        </label>
        <button type="submit" class="main-action" disabled={isTrying.value}>
          Open Studio
        </button>
        <p class="hint">
          The operator of this service makes keys: <code>{'npm run -s framewright -- keys create\n--account me --mode live --credits 100'}</code>
        </p>
      </form>
    </dialog>
  );
}
