import type { Settings } from './settings.js';

/** The value of `group.property`, or of `group.list.index`, from the script or the default. */
export function lookUp(settings: Settings, name: string): unknown {
  const [group = '', key = '', index] = name.split('.');
  const found = settings.get(group);
  if (found === undefined) return undefined;
  const value = found.values[key] ?? found.given[key] ?? found.defaults[key];
  return index !== undefined && Array.isArray(value) ? value[Number(index)] : value;
}

/** Replaces `{{group.property}}`; a string that consists of one placeholder becomes its value with its type. */
export function fillPlaceholders(value: unknown, settings: Settings): unknown {
  if (typeof value !== 'string') return value;
  const whole = /^\{\{\s*([\w.-]+)\s*\}\}$/.exec(value);
  if (whole) return lookUp(settings, whole[1] ?? '');
  return value.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) => String(lookUp(settings, name) ?? ''));
}

/** Like fillPlaceholders(), for numbers; `fallback` for missing and invalid ones. */
export function fillNumber(value: number | string | undefined, settings: Settings, fallback: number): number {
  const filled = Number(fillPlaceholders(value, settings) ?? fallback);
  return Number.isFinite(filled) ? filled : fallback;
}
