import { describe, expect, test } from 'vitest';
import {
  anchorOf,
  listConfigurations,
  perEncoder,
  readEncoders,
  readLadder,
  readPresets,
  readThreads,
} from '../../../../src/cli/encoder-bench/bench-options.js';

const ladder = (...texts: string[]) => perEncoder('--ladder', texts, readLadder);
const presets = perEncoder('--presets', ['fast,slow', 'libx265:ultrafast'], readPresets);

describe('options of bench encoders', () => {
  test('a value for one encoder takes precedence over the value for all', () => {
    expect(ladder('18,23', 'libsvtav1:500k,2M')('libx264')).toEqual([{ crf: 18 }, { crf: 23 }]);
    expect(ladder('18,23', 'libsvtav1:500k,2M')('libsvtav1')).toEqual([{ kbps: 500 }, { kbps: 2000 }]);
    expect(ladder('libsvtav1:60')('libx264')).toBeUndefined();
    const names = listConfigurations(['libx264', 'libx265'], presets, [4]).map(({ name }) => name);
    expect(names).toEqual(['libx264 fast', 'libx264 slow', 'libx265 ultrafast']);
  });

  test('names contain the thread count if there are several; the anchor has the highest', () => {
    const configurations = listConfigurations(['libx264'], presets, readThreads('1,N', 8));
    expect(configurations.map(({ name }) => name)).toEqual([
      'libx264 fast 1 thread',
      'libx264 fast 8 threads',
      'libx264 slow 1 thread',
      'libx264 slow 8 threads',
    ]);
    expect(anchorOf(configurations, 'libx264:slow').name).toBe('libx264 slow 8 threads');
    expect(anchorOf(configurations, undefined).name).toBe('libx264 fast 1 thread');
    expect(() => anchorOf(configurations, 'libx265')).toThrow('"libx265" is not one of the measured configurations');
  });

  test.each([
    [() => readEncoders('libx264,'), 'must be a comma-separated list'],
    [() => readEncoders('x264'), 'there is no encoder "x264". Use one of libx264'],
    [() => ladder('fine'), '"fine" must be a quality (23) or a bit rate (500k, 2M)'],
    [() => ladder('libx264:60'), 'the quality 60 must be from 0 to 51 for libx264'],
    [() => ladder('2000M'), 'must be from 1k to 1000M'],
    [() => ladder('h265:20'), 'there is no encoder "h265"'],
    [() => readThreads('0', 8), 'must be N (all cores) or a whole number from 1 to 512'],
  ])('rejects wrong values with what is allowed (%#)', (read, message) => {
    expect(read).toThrow(message);
  });
});
