import { describe, expect, it } from 'vitest';
import { setVariables } from '../../../src/cli/set-variables.js';

const script = { variables: { title: 'Old', tall: false, '@title': 'a description' }, scenes: [] };

describe('--set', () => {
  it('leaves a script without settings as it is', () => {
    expect(setVariables(script)).toBe(script);
  });

  it('reads values as JSON, or else as text, also with an equals sign', () => {
    expect(setVariables(script, ['tall=true', 'title=a=b'])).toEqual({ ...script, variables: { ...script.variables, tall: true, title: 'a=b' } });
    expect(setVariables(script, ['title=[1, 2]'])).toMatchObject({ variables: { title: [1, 2] } });
  });

  it('names the variables that a script has', () => {
    expect(() => setVariables(script, ['tal=true'])).toThrow('the script has no variable "tal". It has title, tall.');
    expect(() => setVariables({ scenes: [] }, ['a=1'])).toThrow('It has none.');
    expect(() => setVariables(script, ['tall'])).toThrow('it must be NAME=VALUE');
  });
});
