import type { InstalledComponent } from '../../contract/index.js';
import { isObject } from '../../script/index.js';
import type { PackCatalogue } from './catalogue.js';
import type { Component } from './pack.js';

/** Lists all installed components. Their previews omit settings that name files of the pack, which scripts cannot name. */
export function listComponents(catalogue: PackCatalogue): InstalledComponent[] {
  return catalogue.packs
    .flatMap((pack) => pack.components)
    .map((component) => {
      const { id, title, description, settings, preview } = component;
      const { at, seconds } = preview;
      return { id, title, description, settings: { ...settings }, preview: { settings: withoutFiles(catalogue, component), at: [...at], seconds } };
    });
}

function withoutFiles(catalogue: PackCatalogue, { id, preview }: Component): Record<string, unknown> {
  const media = catalogue.check(id, preview.settings, '').media.map(({ url }) => url);
  const files = new Set<unknown>(media.filter((url) => !/^(https?|data):/i.test(url)));
  const namesNone = ([, value]: [string, unknown]): boolean => !files.has(value);
  const groups = Object.entries(preview.settings).filter(namesNone);
  return Object.fromEntries(groups.map(([name, group]) => [name, isObject(group) ? Object.fromEntries(Object.entries(group).filter(namesNone)) : group]));
}
