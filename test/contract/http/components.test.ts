import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '../../support/service-in-process.js';

let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService();
  ({ key } = await service.createKey({ credits: 100 }));
});
afterAll(() => service.stop());

const submit = (element: object) =>
  service.call('POST', '/api/render', { key, body: { width: 320, height: 180, scenes: [{ duration: 1, elements: [element] }] } });

it.each([
  ['an unknown component', { component: 'basic/O52' }, 'scenes.0.elements.0.component', 'basic/052'],
  ['an unknown property', { component: 'basic/052', settings: { headline: { colour: 'red' } } }, 'scenes.0.elements.0.settings.headline.colour', "'color'"],
  [
    'a picture at a private address',
    { component: 'basic/051', settings: { image: 'http://127.0.0.1/a.png' } },
    'scenes.0.elements.0.settings.image.src',
    'refused',
  ],
])('refuses %s at submission', async (_, component, path, said) => {
  const { status, body } = await submit({ type: 'component', ...component });
  expect([status, body.error?.code, body.error?.path]).toEqual([400, 'SCHEMA_VALIDATION_ERROR', path]);
  expect(body.error?.message).toContain(said);
});

it('lists the installed components with examples that validate', async () => {
  const { body } = await service.call('GET', '/api/components', { key });
  const listed = body.components as Array<{ id: string; settings: { properties?: object }; preview: { settings: object } }>;
  expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(['basic/052', 'shape/rectangle', 'textbox/000']));
  expect(Object.keys(listed.find(({ id }) => id === 'basic/052')?.settings.properties ?? {})).toContain('headline');
  // The portrait is a file inside the pack, which no script can name.
  expect(listed.find(({ id }) => id === 'basic/051')?.preview.settings).toEqual({
    headline: { text: 'Ada Byron' },
    lead: { text: 'Analyst of engines' },
    image: {},
  });
  const elements = listed.map(({ id, preview }) => ({ type: 'component', component: id, settings: preview.settings }));
  expect(elements.length).toBeGreaterThan(12);
  const answer = await service.call('POST', '/api/render', { key, body: { width: 320, height: 180, scenes: [{ duration: 1, elements }] } });
  expect(answer.status, answer.text).toBe(202);
});

it('accepts a valid component', async () => {
  expect((await submit({ type: 'component', component: 'basic/052', settings: { headline: 'Fine' } })).status).toBe(202);
});
