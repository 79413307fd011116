import { expect, it } from 'vitest';
import type { Job, MovieScript } from '../../../src/client/index.js';
import { parseMovie } from '../../../src/script/index.js';
import { imports, loadedWith, typescriptFiles } from '../../architecture/typescript-imports.js';

it('the client loads no modules except its own', () => {
  const own = typescriptFiles.filter((file) => file.startsWith('src/client/'));
  expect(own.length).toBeGreaterThan(8);
  expect(own.flatMap(loadedWith).filter((file) => !file.startsWith('src/client/'))).toEqual([]);
  const packages = imports.filter(({ file, specifier }) => file.startsWith('src/client/') && !specifier.startsWith('.'));
  expect(packages).toEqual([]);
});

// The compiler checks the rest: each @ts-expect-error must be an error.
it('script types accept valid scripts and reject invalid ones', () => {
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

  // @ts-expect-error scenes is required
  const without: MovieScript = { width: 640 };
  // @ts-expect-error width must be a number
  const text: MovieScript = { width: '640', scenes: [] };
  // @ts-expect-error unknown property
  const unknown: MovieScript = { scenes: [{ elements: [{ type: 'text', text: 'x', colour: 'red' }] }] };
  // @ts-expect-error text is required
  const empty: MovieScript = { scenes: [{ elements: [{ type: 'text' }] }] };
  // @ts-expect-error webhook_uri has no hyphenated spelling
  const hyphen: MovieScript = { scenes: [], 'webhook-uri': 'https://example.com/hook' };
  // @ts-expect-error unknown transition
  const wrong: MovieScript = { scenes: [{ transition: { style: 'explode' } }] };
  // @ts-expect-error unknown status
  const status: Job['status'] = 'done';
  expect([without, text, unknown, empty, hyphen, wrong, status]).toHaveLength(7);
});
