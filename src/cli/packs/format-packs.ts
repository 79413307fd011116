import type { Component, GroupSchema, Pack } from '../../graphics/components/index.js';

/** A pack in the output of `packs list --json`. */
export function describePack(pack: Pack): Record<string, unknown> {
  const { name, version, title, folder, components } = pack;
  return { name, version, title, folder, components: components.map(describeComponent) };
}

function describeComponent({ id, title, description, seconds, settings, preview, body }: Component): Record<string, unknown> {
  return { id, title, description, drawn_by: body.kind === 'html' ? 'chromium' : 'framewright', seconds, settings, preview };
}

/** The packs as a table for terminals. */
export function packTable(packs: readonly Pack[]): string {
  return packs.flatMap((pack) => [`${pack.name} ${pack.version}: ${pack.title}`, ...pack.components.flatMap(componentLines), '']).join('\n');
}

function componentLines({ id, title, description, settings }: Component): string[] {
  const groups = [
    ...Object.entries(settings.properties ?? {}),
    ...Object.entries(settings.patternProperties ?? {}).map(([pattern, group]) => [pattern.replace(/^\^([a-z-]+).*$/, '$11, $12, …'), group] as const),
  ];
  return [`  ${id}  ${title}. ${description}`, ...groups.map(([name, group]) => `      ${name}: ${groupLine(group)}`)];
}

function groupLine(group: GroupSchema): string {
  const properties = Object.entries(group.properties ?? {}).map(([name, { default: value }]) => (value === undefined ? name : `${name} (${shown(value)})`));
  return properties.join(', ') || 'style properties';
}

function shown(value: unknown): string {
  return value === '' ? 'empty' : String(value);
}
