import { describe, expect, it } from 'vitest';
import { chooseOutputs } from '../../../src/cli/output-options.js';

const script = { scenes: [{ duration: 1 }] };
const withOutputs = {
  ...script,
  outputs: [
    { name: 'cover', format: 'jpeg', time: 0 },
    { name: 'video', format: 'webm' },
  ],
};
const choose = (options: string[], given: unknown = script) => {
  const { script: chosen, outputPath, outputPaths } = chooseOutputs(given, options);
  return { outputs: (chosen as { outputs?: unknown }).outputs, outputPath, outputPaths: Object.fromEntries(outputPaths) };
};

describe('--output', () => {
  it('leaves an MP4 file to the script', () => {
    expect(choose(['/a/out.mp4'])).toEqual({ outputs: undefined, outputPath: '/a/out.mp4', outputPaths: {} });
  });

  it('chooses the format by the extension', () => {
    expect(choose(['/a/out.gif'])).toEqual({ outputs: [{ name: 'video', format: 'gif' }], outputPath: '/a/out.gif', outputPaths: { video: '/a/out.gif' } });
    expect(choose(['/a/out.WEBP']).outputs).toEqual([{ name: 'video', format: 'webp-still' }]);
  });

  it('adds named outputs', () => {
    expect(choose(['/a/out.mp4', 'cover=/a/cover.jpeg'])).toEqual({
      outputs: [
        { name: 'video', format: 'mp4' },
        { name: 'cover', format: 'jpeg' },
      ],
      outputPath: '/a/out.mp4',
      outputPaths: { cover: '/a/cover.jpeg', video: '/a/out.mp4' },
    });
  });

  it('names the primary output of a script, or some of its outputs', () => {
    expect(choose(['/a/x.webm'], withOutputs)).toEqual({ outputs: withOutputs.outputs, outputPath: '/a/x.webm', outputPaths: {} });
    expect(choose(['cover=/a/c.jpg'], withOutputs)).toEqual({ outputs: [withOutputs.outputs[0]], outputPath: '/a/c.jpg', outputPaths: { cover: '/a/c.jpg' } });
  });

  it.each([
    [['/a/out.xyz'], /must end in \.mp4, \.webm/],
    [['a.mp4', 'b.mp4'], /Only one --output without a name/],
    [['x=a.mp4', 'x=b.mp4'], /given twice/],
  ])('refuses %j', (options, message) => {
    expect(() => choose(options)).toThrow(message);
  });

  it('refuses an extension that is not that of the output', () => {
    expect(() => choose(['a.mp4'], withOutputs)).toThrow('a.mp4 must end in .webm, because the output "video" of the script is a webm file.');
    expect(() => choose(['cover=c.png'], withOutputs)).toThrow(/must end in \.jpg/);
  });
});
