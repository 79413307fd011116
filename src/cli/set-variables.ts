import { UsageError } from './exit-codes.js';

/** Description of the option `--set`, which several commands have. */
export const setOption = ['--set <name=value>', 'give a variable of the script another value, in JSON or as text; may be repeated'] as const;

/** Commander parser of the option: its values in the order given. */
export function collectSettings(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text];
}

/** Returns a script with other values of its variables. Throws UsageError for a name that the script does not define. */
export function setVariables(script: unknown, settings: readonly string[] = []): unknown {
  if (settings.length === 0) return script;
  const { variables = {} } = (script ?? {}) as { variables?: Record<string, unknown> };
  const names = Object.keys(variables).filter((name) => !/^[@?]/.test(name));
  const values = settings.map((setting) => {
    const [name = '', ...rest] = setting.split('=');
    if (rest.length === 0) throw new UsageError(`--set ${setting}: it must be NAME=VALUE.`);
    if (!names.includes(name)) {
      const known = names.length === 0 ? 'It has none.' : `It has ${names.join(', ')}.`;
      throw new UsageError(`--set ${setting}: the script has no variable "${name}". ${known}`);
    }
    return [name, parseValue(rest.join('='))] as const;
  });
  return { ...(script as object), variables: { ...variables, ...Object.fromEntries(values) } };
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
