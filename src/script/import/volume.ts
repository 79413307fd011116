import type { SourceFields } from './fields.js';

/** A number, or a text that ends in dB. */
export function volumeOf(fields: SourceFields, name: string): { volume?: number } {
  const value = fields.raw(name);
  if (value === undefined) return {};
  const decibels = /^\s*(-?[\d.]+)\s*dB\s*$/i.exec(String(value))?.[1];
  const volume = decibels === undefined ? Number(value) : 10 ** (Number(decibels) / 20);
  if (Number.isFinite(volume) && volume >= 0 && volume <= 10) return volume === 1 ? {} : { volume: Math.round(volume * 1000) / 1000 };
  fields.omit(name, 'volume must be from 0 to 10');
  return {};
}
