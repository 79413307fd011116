import { effect, type Signal, signal } from '@preact/signals';

/** Colour theme. */
export type Theme = 'system' | 'light' | 'dark';

const keyName = 'framewright.key';
const themeName = 'framewright.theme';
const scriptName = 'framewright.script';

/** State that survives a reload: the API key (of the tab, or permanently if requested), the theme and the script of the tab. */
export class Session {
  readonly key: Signal<string>;
  readonly theme: Signal<Theme>;

  constructor() {
    this.key = signal(read(sessionStorage, keyName) ?? read(localStorage, keyName) ?? '');
    const theme = read(localStorage, themeName);
    this.theme = signal(theme === 'light' || theme === 'dark' ? theme : 'system');
    effect(() => {
      const chosen = this.theme.value;
      document.documentElement.dataset.theme = chosen;
      if (chosen === 'system') remove(localStorage, themeName);
      else write(localStorage, themeName, chosen);
    });
  }

  get script(): string | undefined {
    return read(sessionStorage, scriptName) ?? undefined;
  }

  saveScript(text: string): void {
    write(sessionStorage, scriptName, text);
  }

  enter(key: string, remember: boolean): void {
    this.leave();
    write(remember ? localStorage : sessionStorage, keyName, key);
    this.key.value = key;
  }

  leave(): void {
    remove(sessionStorage, keyName);
    remove(localStorage, keyName);
    this.key.value = '';
  }
}

// Browsers may forbid storage; the page works without it.
function read(storage: Storage, name: string): string | null {
  try {
    return storage.getItem(name);
  } catch {
    return null;
  }
}

function write(storage: Storage, name: string, value: string): void {
  try {
    storage.setItem(name, value);
  } catch {
    // Storage is full or forbidden.
  }
}

function remove(storage: Storage, name: string): void {
  try {
    storage.removeItem(name);
  } catch {
    // Storage is forbidden, so nothing was stored.
  }
}
