import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { movieSchema, parseMovie } from '../../../src/script/index.js';

const table = readFileSync(new URL('../../../native/compositor/plan/transitions/transition_styles.cc', import.meta.url), 'utf8');

/** The style names in the compositor's table. */
const drawn = [...table.matchAll(/^ {4}\{"([a-z-]+)", k/gm)].map((row) => row[1] ?? '');

const accepted = (movieSchema.$defs as { transitionStyle: { enum: Array<string | null> } }).transitionStyle.enum;

test('the transitions of the script schema equal those of the compositor', () => {
  const transitionOf = (style: string | null) => ({ style, ...(style === 'luma' && { src: 'https://example.com/wipe.png' }) });
  const asked = accepted.map((style) => parseMovie({ scenes: [{ transition: transitionOf(style) }] }).scenes[0]?.transition?.style ?? '');
  expect(drawn.length).toBeGreaterThan(50);
  // A morph is drawn as moving clips and a fade.
  expect(new Set(asked)).toEqual(new Set([...drawn, 'morph']));
});
