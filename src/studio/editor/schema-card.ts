import type { JsonSchema } from '../../contract/index.js';
import { namedValues, summarize } from '../script/schema-walk.js';

const maxValues = 12;

/** Documentation of a property from its schemas. */
export function describeSchema(name: string, schemas: readonly JsonSchema[]): HTMLElement {
  const card = document.createElement('div');
  card.className = 'schema-card';
  const [title] = [name, ...schemas.map((schema) => schema.title ?? '')].filter((text) => text !== '');
  add(card, 'strong', title ?? '');
  const summary = schemas.map(summarize).find((text) => text !== '');
  if (summary !== undefined) add(card, 'span', summary);
  const description = schemas.map((schema) => schema.description).find((text) => text !== undefined);
  if (description !== undefined) add(card, 'p', description);
  const values = namedValues(schemas.filter((schema) => schema.enum !== undefined)).map(String);
  if (values.length > 0) add(card, 'code', values.length > maxValues ? `${values.slice(0, maxValues).join(' · ')} · …` : values.join(' · '));
  return card;
}

function add(parent: HTMLElement, tag: string, text: string): void {
  const child = document.createElement(tag);
  child.textContent = text;
  parent.append(child);
}
