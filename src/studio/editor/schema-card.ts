import type { JsonSchema } from '../../contract/index.js';
import { namedValues, summarize } from '../script/schema-walk.js';

const mostValues = 12;

/** What the schema says of a property, as a small card beside it. */
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
  if (values.length > 0) add(card, 'code', values.length > mostValues ? `${values.slice(0, mostValues).join(' · ')} · …` : values.join(' · '));
  return card;
}

function add(parent: HTMLElement, tag: string, text: string): void {
  const child = document.createElement(tag);
  child.textContent = text;
  parent.append(child);
}
