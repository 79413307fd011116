/** An example script. */
export interface Example {
  title: string;
  /** Time of its most representative frame, in seconds. */
  at: number;
  script: { comment?: string; [field: string]: unknown };
}

/** All scripts in examples/. */
const files = import.meta.glob<Example['script']>('../../../examples/*.json', { eager: true, import: 'default' });

const first = ['data-story', 'quote-card'];
const moments: Readonly<Record<string, number>> = {
  'quote-card': 4,
  'data-story': 8.5,
  'podcast-audiogram': 3,
};

function nameOf(path: string): string {
  return path.replace(/^.*\/|\.json$/g, '');
}

function rankOf(name: string): number {
  const at = first.indexOf(name);
  return at < 0 ? first.length : at;
}

/** A script without the music from examples/media, which has no public URL. */
function withoutMusic(script: Example['script']): Example['script'] {
  const { elements } = script;
  if (!Array.isArray(elements)) return script;
  return { ...script, elements: elements.filter(({ type, src }) => type !== 'audio' || !String(src).startsWith('media/')) };
}

/** Examples without other media of that folder. */
export const examples: readonly Example[] = Object.entries(files)
  .map(([path, script]) => ({ name: nameOf(path), script: withoutMusic(script) }))
  .filter(({ script }) => !JSON.stringify(script).includes('"media/'))
  .sort((a, b) => rankOf(a.name) - rankOf(b.name) || a.name.localeCompare(b.name))
  .map(({ name, script }) => ({ title: name.replaceAll('-', ' '), at: moments[name] ?? 1.5, script }));
