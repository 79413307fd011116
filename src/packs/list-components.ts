import type { PackCatalogue } from './catalogue.js';
import type { Component, Preview, SettingsSchema } from './pack.js';

/** A component as those see it who write scripts. */
export interface ListedComponent {
  id: string;
  title: string;
  description: string;
  settings: SettingsSchema;
  /** Absent where its settings need files of the pack: a script cannot name them. */
  preview?: Pick<Preview, 'settings' | 'at' | 'seconds'>;
}

export function listComponents(catalogue: PackCatalogue): ListedComponent[] {
  return catalogue.packs
    .flatMap((pack) => pack.components)
    .map((component) => {
      const { id, title, description, settings, preview } = component;
      const { at, seconds } = preview;
      return { id, title, description, settings, ...(isSelfContained(catalogue, component) && { preview: { settings: preview.settings, at, seconds } }) };
    });
}

function isSelfContained(catalogue: PackCatalogue, { id, preview }: Component): boolean {
  return catalogue.check(id, preview.settings, '').media.every(({ url }) => /^(https?|data):/i.test(url));
}
