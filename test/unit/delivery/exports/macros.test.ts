import { describe, expect, it } from 'vitest';
import { parseExports } from '../../../../src/delivery/exports/index.js';
import { createMacros, fillMacros } from '../../../../src/delivery/exports/macros.js';

const downloadUrl = 'https://films.example.com/outputs/b5e1.mp4';
const file = { name: 'b5e1.final.mp4', downloadUrl, seed: 'b5e1', completedAtMs: Date.UTC(2031, 1, 3, 4, 5, 6) };
const macros = createMacros(file, { path: 'exports.0' });

function filledFile(text: string): unknown {
  const [target] = parseExports(
    [{ type: 'ftp', host: '__host__', username: '__yyyy__', password: '__yyyy__', file: text }].map((each) => ({ ...each, host: 'h' })),
  );
  return target === undefined ? undefined : fillMacros(target, macros);
}

describe('macros', () => {
  it.each([
    ['__yyyy__-__mm__-__dd__T__hh__:__nn__:__ss__', '2031-02-03T04:05:06'],
    ['__filename_without_extension__ 2.__filename_extension__', 'b5e1.final 2.mp4'],
    ['__filename__', 'b5e1.final.mp4'],
    ['__random__', expect.stringMatching(/^[a-z0-9]{12}$/)],
    ['__yyyy____mm____dd__', '20310203'],
    ['__nothing__ __YYYY__ _yyyy_', '__nothing__ __YYYY__ _yyyy_'],
    ['__constructor__', '__constructor__'],
  ])('%s becomes %s', (text, expected) => {
    expect(filledFile(text)).toMatchObject({ file: expected });
  });

  it('have a random word that depends on the file and the target only', () => {
    const word = (seed: string, path: string) => createMacros({ ...file, seed }, { path }).random;
    expect(word('b5e1', 'exports.0')).toBe(macros.random);
    expect(new Set([word('b5e1', 'exports.0'), word('b5e1', 'exports.1'), word('b5e2', 'exports.0')]).size).toBe(3);
  });

  it('do not change user names and secrets', () => {
    expect(filledFile('x')).toMatchObject({ username: '__yyyy__', password: '__yyyy__' });
  });

  it('are encoded in URLs', () => {
    const [target] = parseExports([{ type: 'webhook', endpoint: 'https://example.com/?at=__video_url__' }]);
    expect(target && fillMacros(target, macros)).toMatchObject({ endpoint: `https://example.com/?at=${encodeURIComponent(file.downloadUrl)}` });
  });
});
