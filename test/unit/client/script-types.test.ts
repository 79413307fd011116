import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Job, MovieScript } from '../../../src/client/index.js';
import { namedSchemas } from '../../../src/http/openapi/schemas.js';
import { movieSchema, parseMovie } from '../../../src/script/index.js';
import { imports } from '../../architecture/typescript-imports.js';

interface Generator {
  clientTypes(movie: unknown, answers: unknown): Promise<string>;
}

it('the types are those of the schema; `npm run docs -- --text` writes them', async () => {
  const { clientTypes } = (await import(new URL('../../../docs/make/client-types.mjs', import.meta.url).href)) as Generator;
  const written = readFileSync(new URL('../../../src/client/contract.generated.ts', import.meta.url), 'utf8');
  expect(written).toBe(await clientTypes(movieSchema, namedSchemas()));
});

it('the client imports nothing but its own files', () => {
  const own = imports.filter(({ file }) => file.startsWith('src/client/'));
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter(({ specifier }) => !specifier.startsWith('./'))).toEqual([]);
});

// What follows is checked when the tests are type-checked: each mark stands over what must be an error.
it('types take what the service takes, and mark what it would refuse', () => {
  const script: MovieScript = {
    width: 640,
    webhook_uri: 'https://example.com/hook',
    variables: { name: 'Ada', list: [1, 2] },
    scenes: [
      {
        duration: '{{seconds * 2}}',
        'background-color': '#102030',
        transition: { style: 'wipe', direction: 'left', duration: 0.5 },
        elements: [
          { type: 'text', text: 'Hello, {{name}}', font_size: '5vw', 'font-weight': 'bold', settings: { 'line-height': 1.2, 'border-top': '1px solid' } },
          { type: 'image', src: 'https://example.com/a.png', resize: 'cover', keyframes: [{ time: 0, scale: 1, easing: 'easeInSine' }] },
          { type: 'video', src: 'https://example.com/a.mp4', volume: '{{loud}}', 'fade-in': 1 },
        ],
      },
    ],
  };
  expect(
    parseMovie({ ...script, variables: { name: 'Ada', seconds: 1, loud: 1 } }, { checkUrl: () => undefined, components: { check: () => undefined } as never })
      .width,
  ).toBe(640);

  // @ts-expect-error a movie has scenes
  const without: MovieScript = { width: 640 };
  // @ts-expect-error a width is a number
  const text: MovieScript = { width: '640', scenes: [] };
  // @ts-expect-error there is no such property
  const unknown: MovieScript = { scenes: [{ elements: [{ type: 'text', text: 'x', colour: 'red' }] }] };
  // @ts-expect-error a text has a text
  const empty: MovieScript = { scenes: [{ elements: [{ type: 'text' }] }] };
  // @ts-expect-error it is not written so
  const hyphen: MovieScript = { scenes: [], 'webhook-uri': 'https://example.com/hook' };
  // @ts-expect-error there is no such transition
  const wrong: MovieScript = { scenes: [{ transition: { style: 'explode' } }] };
  // @ts-expect-error there is no such status
  const status: Job['status'] = 'done';
  expect([without, text, unknown, empty, hyphen, wrong, status]).toHaveLength(7);
});
