import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { exampleMediaNames } from '../../src/cli/demo/example-media.js';
import { parseMovie } from '../../src/script/index.js';

const folder = fileURLToPath(new URL('../../examples/', import.meta.url));
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe('the example movies', () => {
  it('exist', () => {
    expect(names).toContain('showcase.json');
    expect(names.length).toBeGreaterThanOrEqual(3);
  });

  it.each(names)('%s is a valid movie and uses only media that the demo generates', (name) => {
    const sources: string[] = [];
    const movie = parseMovie(JSON.parse(readFileSync(folder + name, 'utf8')), {
      checkUrl: (url) => {
        sources.push(url);
        return undefined;
      },
    });
    expect(movie.scenes.length).toBeGreaterThan(0);
    expect(sources.filter((source) => !exampleMediaNames.includes(source.replace(/^media\//, '')))).toEqual([]);
  });
});
