import { describe, expect, it } from 'vitest';
import { checkOutputs, estimateMovie, listOutputs, outputFileNames, parseMovie } from '../../../src/script/index.js';

const scene = { duration: 4, elements: [{ type: 'text', text: 'Hello' }] };
const parse = (outputs: unknown, movie: Record<string, unknown> = {}) => parseMovie({ width: 1920, height: 1080, scenes: [scene], ...movie, outputs });
const problem = (outputs: unknown, movie: Record<string, unknown> = {}): string => {
  try {
    parse(outputs, movie);
  } catch (error) {
    const { path, message } = error as { path: string; message: string };
    return `${path}: ${message}`;
  }
  throw new Error('the outputs were accepted');
};

describe('outputs of a movie', () => {
  it('are empty without the property', () => {
    expect(parseMovie({ scenes: [scene] }).outputs).toEqual([]);
    expect(parse(null).outputs).toEqual([]);
  });

  it('take size, rate, codec and quality from the movie', () => {
    expect(parse([{ name: 'a', format: 'mp4' }], { codec: 'hevc', quality: 'low', fps: 25 }).outputs).toEqual([
      {
        path: 'outputs.0',
        name: 'a',
        format: 'mp4',
        codec: 'hevc',
        width: 1920,
        height: 1080,
        fps: { num: 25, den: 1 },
        quality: 'low',
        alpha: false,
        matte: { r: 0, g: 0, b: 0, a: 255 },
        audio: { codec: 'aac', channels: 2 },
      },
    ]);
  });

  it.each([
    [{ width: 480 }, [480, 270]],
    [{ height: 360 }, [640, 360]],
    [{ width: 101 }, [102, 58]],
    [{ width: 1280, height: 720 }, [1280, 720]],
  ])('keep the aspect ratio: %j', (size, expected) => {
    const [output] = parse([{ name: 'a', format: 'webm', ...size }]).outputs;
    expect([output?.width, output?.height]).toEqual(expected);
  });

  it('have codecs that can be transparent when they are', () => {
    const codecs = parse([
      { name: 'a', format: 'mov', alpha: true },
      { name: 'b', format: 'webm', alpha: true },
      { name: 'c', format: 'mov' },
    ]).outputs.map(({ codec }) => codec);
    expect(codecs).toEqual(['prores-4444', 'vp9', 'prores-422']);
  });

  it('limit the rate of animations unless it is given', () => {
    const rates = parse([
      { name: 'a', format: 'gif' },
      { name: 'b', format: 'gif', fps: 25 },
    ]).outputs.map(({ fps }) => fps.num / fps.den);
    expect(rates).toEqual([15, 25]);
  });

  it.each([
    [[{ name: 'a', format: 'mp4', alpha: true }], /^outputs\.0\.alpha: The format mp4 has no transparency; webm, mov, gif/],
    [[{ name: 'a', format: 'webm', codec: 'av1', alpha: true }], 'outputs.0.alpha: The codec av1 has no transparency; in webm vp9 has.'],
    [[{ name: 'a', format: 'mp4', codec: 'vp9' }], 'outputs.0.codec: codec must be h264, hevc or av1 for the format mp4, not vp9.'],
    [
      [
        { name: 'a', format: 'mp4' },
        { name: 'a', format: 'gif' },
      ],
      'outputs.1.name: name must be unique: "a" is also the name of outputs.0.',
    ],
    [[{ name: 'A b', format: 'mp4' }], 'outputs.0.name: name must be made of lower-case letters, digits and hyphens, not "A b".'],
    [[{ name: 'a', format: 'mp3' }], 'outputs.0.format: A mp3 file needs sound, and no element of the movie has any.'],
    [[{ name: 'a', format: 'png', time: 4 }], 'outputs.0.time: time must be before the end of the movie: the movie ends at 4 s.'],
    [[{ name: 'a', format: 'mp4', range: { start: 9 } }], 'outputs.0.range.start: start must be before the end of the movie: the movie ends at 4 s.'],
    [
      [{ name: 'a', format: 'png', range: { start: 1 } }],
      'outputs.0.range: range does not apply to the format png; a still shows one frame, at "time"; "sequence": true takes it.',
    ],
    [[{ name: 'a', format: 'gif', audio: {} }], 'outputs.0.audio: audio does not apply to the format gif; only videos, streams and audio files have sound.'],
    [[{ name: 'a', format: 'webm', width: 100, height: 1000 }], /^outputs\.0\.height: width and height must have the movie's aspect ratio \(1920:1080\)/],
    [[{ name: 'a', format: 'webm', audio: { codec: 'aac' } }], 'outputs.0.audio.codec: The codec of the sound must be opus for the format webm, not aac.'],
    [[{ name: 'a', format: 'mov', audio: { bitrate: 64000 } }], 'outputs.0.audio.bitrate: bitrate does not apply to pcm, which is lossless.'],
    [[{ name: 'a', format: 'webm', crf: 3, quality: 'low' }], 'outputs.0.crf: Only one of quality, crf and bitrate may be given, not quality and crf.'],
    [
      [{ name: 'a', format: 'mp4', lossless: true }],
      'outputs.0.lossless: lossless does not apply to the format mp4; webp and webp-still take it; png, apng, flac and wav always are.',
    ],
    [
      [{ name: 'a', format: 'webp', lossless: true, max_bytes: 5000 }],
      'outputs.0.max_bytes: max_bytes does not apply to a lossless file; leave one of them out.',
    ],
    [[{ name: 'a', format: 'mp4', crf: 60 }], 'outputs.0.crf: crf must be at most 51 for h264, not 60.'],
    [[{ name: 'a', format: 'webm', fps: 60 }], "outputs.0.fps: fps must be at most the movie's, 30, not 60."],
    [
      [{ name: 'a', format: 'mp4', max_bytes: 5000 }],
      'outputs.0.max_bytes: max_bytes does not apply to the format mp4; gif, webp, apng, jpeg, poster take it.',
    ],
    [[{ name: 'a', format: 'avif2' }], /^outputs\.0\.format: format must be one of "mp4", .*; did you mean "avif"\?$/],
  ])('refuse %j', (outputs, expected) => {
    const text = problem(outputs);
    if (typeof expected === 'string') expect(text).toBe(expected);
    else expect(text).toMatch(expected);
  });

  it.each([
    [[{ name: 'a', format: 'hls', bitrate: 900000 }], /^outputs\.0\.bitrate: bitrate does not apply to the format hls; give each size its own: "ladder": /],
    [[{ name: 'a', format: 'hls', alpha: true }], /^outputs\.0\.alpha: The format hls has no transparency/],
    [[{ name: 'a', format: 'dash', codec: 'vp9' }], 'outputs.0.codec: codec must be h264, hevc or av1 for the format dash, not vp9.'],
    [[{ name: 'a', format: 'hls', ladder: 'fine' }], 'outputs.0.ladder: ladder must be one of "auto", not "fine".'],
    [
      [{ name: 'a', format: 'hls', height: 720, ladder: [{ height: 1080 }] }],
      "outputs.0.ladder.0.height: A size of the ladder must be at most the output's, 1280×720, not 1920×1080.",
    ],
    [[{ name: 'a', format: 'mp4', ladder: [{ height: 720 }] }], 'outputs.0.ladder: ladder does not apply to the format mp4; hls and dash take it.'],
    [[{ name: 'a', format: 'mov', fragmented: true }], /^outputs\.0\.fragmented: fragmented does not apply to the format mov; mp4 takes it/],
    [
      [{ name: 'a', format: 'mp4', bit_depth: 10 }],
      /^outputs\.0\.bit_depth: bit_depth 10 applies to the codecs hevc, av1, ProRes and vp9 without alpha, not to h264/,
    ],
    [
      [{ name: 'a', format: 'webm', alpha: true, bit_depth: 10 }],
      /^outputs\.0\.bit_depth: bit_depth 10 applies to the codecs .* vp9 without alpha, not to vp9 with alpha/,
    ],
    [[{ name: 'a', format: 'webm', alpha: true, hdr: 'hlg' }], /^outputs\.0\.hdr: hdr applies to .* without alpha/],
    [
      [{ name: 'a', format: 'mp4', hdr: 'pq' }],
      /^outputs\.0\.hdr: hdr applies to mp4, mov, webm, hls and dash without alpha, with hevc, av1, vp9 or ProRes, not to h264 in mp4/,
    ],
    [[{ name: 'a', format: 'gif', hdr: 'hlg' }], 'outputs.0.hdr: hdr does not apply to the format gif; mp4, mov, webm, hls and dash take it.'],
    [[{ name: 'a', format: 'hls', hdr: 'hlg' }], /^outputs\.0\.hdr: hdr applies to mp4, mov, webm, hls and dash .*, not to h264 in hls/],
    [[{ name: 'a', format: 'mov', codec: 'hevc', hdr: 'pq', bit_depth: 8 }], 'outputs.0.bit_depth: HDR has 10 bits; leave bit_depth out.'],
    [[{ name: 'a', format: 'gif', sequence: true }], 'outputs.0.sequence: sequence does not apply to the format gif; png, jpeg, webp-still take it.'],
    [[{ name: 'a', format: 'png', sequence: true, time: 1 }], 'outputs.0.time: time does not apply to a sequence; leave it out.'],
    [[{ name: 'a', format: 'jpeg', fps: 5 }], 'outputs.0.fps: fps does not apply to the format jpeg; a still has no frame rate; "sequence": true takes it.'],
    [[{ name: 'a', format: 'storyboard', fps: 5 }], 'outputs.0.fps: fps does not apply to the format storyboard; leave it out.'],
    [[{ name: 'a', format: 'vtt', interval: 5 }], 'outputs.0.interval: interval does not apply to the format vtt; storyboard takes it.'],
  ])('refuse what streams, sequences and storyboards are not: %j', (outputs, expected) => {
    const text = problem(outputs);
    if (typeof expected === 'string') expect(text).toBe(expected);
    else expect(text).toMatch(expected);
  });

  it.each([
    [{ bit_depth: 10 }, undefined, [{ format: 'mp4', codec: 'hevc', bitDepth: 10 }]],
    [{ hdr: 'hlg', codec: 'av1' }, undefined, [{ format: 'mp4', codec: 'av1', bitDepth: 10, hdr: 'hlg' }]],
    [{ blend_space: 'linear' }, undefined, [{ format: 'mp4', codec: 'h264', linear: true }]],
    [
      { hdr: 'pq' },
      [
        { name: 'a', format: 'mp4' },
        { name: 'b', format: 'mp4', codec: 'h264' },
        { name: 'c', format: 'mov', bit_depth: 8 },
        { name: 'd', format: 'gif' },
        { name: 'e', format: 'hls' },
        { name: 'f', format: 'dash', codec: 'av1' },
        { name: 'g', format: 'webm', codec: 'av1' },
        { name: 'h', format: 'png', alpha: true },
        { name: 'i', format: 'webm' },
        { name: 'j', format: 'webm', alpha: true },
      ],
      [
        { codec: 'hevc', bitDepth: 10, hdr: 'pq' },
        { codec: 'h264' },
        { codec: 'prores-422' },
        { format: 'gif' },
        { codec: 'hevc', bitDepth: 10, hdr: 'pq' },
        { codec: 'av1', bitDepth: 10, hdr: 'pq' },
        { codec: 'av1', bitDepth: 10, hdr: 'pq' },
        { format: 'png' },
        { codec: 'vp9', bitDepth: 10, hdr: 'pq' },
        { codec: 'vp9' },
      ],
    ],
  ] as const)('have the precision and colours of the movie where they can: %j, %j', (movie, outputs, expected) => {
    const parsed = parseMovie({ scenes: [{ duration: 1 }], ...movie, ...(outputs && { outputs }) }).outputs;
    expect(parsed).toMatchObject(expected);
    for (const [index, output] of parsed.entries()) {
      for (const property of ['bitDepth', 'hdr', 'linear'] as const) if (!(property in (expected[index] ?? {}))) expect(output[property]).toBeUndefined();
    }
  });

  it.each([
    [{ hdr: 'pq', blend_space: 'linear' }, 'blend_space: blend_space "linear" does not apply to HDR; leave hdr or blend_space out.'],
    [{ hdr: 'pq', bit_depth: 8 }, 'bit_depth: HDR has 10 bits; leave bit_depth out.'],
    [{ bit_depth: 10, codec: 'h264' }, 'codec: 10 bits and HDR need the codec hevc (the default then) or av1, not h264.'],
  ])('refuse a precision that no file has: %j', (movie, expected) => {
    expect(problem(undefined, movie)).toBe(expected);
  });

  it('refuse sequences of too many frames', () => {
    expect(problem([{ name: 'a', format: 'png', sequence: true }], { scenes: [{ duration: 600 }] })).toMatch(
      /^outputs\.0\.sequence: A sequence may have 7200 frames and 4000 million pixels, and this one has 18000 frames and 37325 million pixels/,
    );
  });

  it('are streams in several sizes', () => {
    const sizes = (output: object, movie: Record<string, unknown> = {}) => {
      const [stream] = parse([{ name: 'a', format: 'hls', ...output }], movie).outputs;
      return stream?.ladder?.map(({ width, height }) => `${width}x${height}`).join(' ');
    };
    expect(sizes({})).toBe('1920x1080 1280x720 854x480 640x360 426x240');
    expect(sizes({}, { width: 1080, height: 1920 })).toBe('1080x1920 720x1280 480x854 360x640 240x426');
    expect(sizes({ height: 300 })).toBe('534x300');
    expect(sizes({ ladder: [{ height: 360 }, { width: 1280 }] })).toBe('1280x720 640x360');
    const [stream] = parse([{ name: 'a', format: 'dash', codec: 'av1' }]).outputs;
    expect([stream?.segmentDuration, stream?.codec, stream?.audio?.codec]).toEqual([4, 'av1', 'aac']);
  });

  it('refuse animations that are videos', () => {
    expect(problem([{ name: 'a', format: 'gif' }], { scenes: [{ duration: 600 }] })).toBe(
      'outputs.0.format: A gif file may have 1800 frames, and this one has 9000; give it a range or a lower fps, or use mp4 or webm.',
    );
    expect(problem([{ name: 'a', format: 'webp' }], { width: 3840, height: 2160 })).toMatch(/may have 2073600 pixels a frame, and this one has 3840×2160/);
  });

  it.each([
    [
      [{ name: 'a', format: 'webm', width: 8192 }],
      { width: 1080, height: 1920 },
      /^outputs\.0\.width: The output would be 8192×14564 pixels; width and height must be from 16 to 8192\.$/,
    ],
    [
      [{ name: 'a', format: 'gif', fps: 30 }],
      { scenes: [{ duration: 30 }] },
      /may have 500 million pixels in all its frames, and this one has 1867; give it a range/,
    ],
    [[{ name: 'a', format: 'webm', audio: { channels: 1, bitrate: 300000 } }], {}, /bitrate must be at most 256000 for opus with one channel, not 300000\.$/],
    [[{ name: 'a', format: 'mov', bitrate: 5000000 }], {}, /^outputs\.0\.bitrate: bitrate does not apply to ProRes; /],
  ])('refuse what encoders cannot make: %j', (outputs, movie, expected) => {
    expect(problem(outputs, movie)).toMatch(expected);
  });

  it('have rates that the engine takes', () => {
    const rates = parse(
      [
        { name: 'a', format: 'mp4' },
        { name: 'b', format: 'webm', fps: 12.3456789 },
      ],
      { fps: 29.999999 },
    ).outputs.map(({ fps }) => fps);
    expect(rates).toEqual([
      { num: 30000, den: 1000 },
      { num: 6173, den: 500 },
    ]);
  });

  it('are checked against lengths that are known later', () => {
    const movie = parse([{ name: 'a', format: 'png', time: 20 }], { scenes: [{ elements: [{ type: 'video', src: 'https://example.com/a.mp4' }] }] });
    expect(() => checkOutputs(movie, () => 10)).toThrow('the movie ends at 10 s');
    expect(() => checkOutputs(movie, () => 30)).not.toThrow();
  });

  it('have a background that the movie may set for its scenes', () => {
    const movie = parse([{ name: 'a', format: 'png' }], { background: 'transparent', scenes: [scene, { ...scene, background: '#ff0000' }] });
    expect(movie.scenes.map(({ background }) => background.a)).toEqual([0, 255]);
  });
});

describe('file names of outputs', () => {
  const outputs = [
    { name: 'cover', format: 'jpeg' },
    { name: 'video', format: 'webm' },
    { name: 'loop', format: 'gif' },
  ] as const;

  it('follow from that of the primary one, which is the first video', () => {
    expect([...outputFileNames('/tmp/job.webm', outputs)]).toEqual([
      ['cover', '/tmp/job-cover.jpg'],
      ['video', '/tmp/job.webm'],
      ['loop', '/tmp/job-loop.gif'],
    ]);
    // The extension becomes that of the primary output.
    expect(outputFileNames('job.mp4', [outputs[0]]).get('cover')).toBe('job.jpg');
    expect(outputFileNames('job.jpeg', [outputs[0]]).get('cover')).toBe('job.jpeg');
  });

  it('are read from scripts of any form', () => {
    expect(listOutputs({ outputs: [{ name: 'a', format: 'gif', width: 3 }, { name: 4 }, null, { name: 'b', format: 'toString' }] })).toEqual([
      { name: 'a', format: 'gif' },
    ]);
    expect(listOutputs(null)).toEqual([]);
  });
});

it('costs half for each further video or animation, for its own seconds and size', () => {
  const credits = (outputs: unknown, movie: Record<string, unknown> = {}) => estimateMovie(parse(outputs, movie)).credits;
  expect(credits([{ name: 'a', format: 'mp4' }])).toBe(4);
  expect(
    credits([
      { name: 'a', format: 'mp4' },
      { name: 'b', format: 'png' },
    ]),
  ).toBe(4);
  expect(
    credits([
      { name: 'a', format: 'mp4' },
      { name: 'b', format: 'webm' },
    ]),
  ).toBe(6);
  expect(
    credits([
      { name: 'a', format: 'mp4' },
      { name: 'b', format: 'gif', range: { start: 1, duration: 1 } },
    ]),
  ).toBe(5);
  // The larger of canvas and primary output decides.
  expect(credits([{ name: 'a', format: 'mp4', width: 3840 }])).toBe(16);
  const large = { width: 3840, height: 2160 };
  expect(
    credits(
      [
        { name: 'a', format: 'mp4' },
        { name: 'b', format: 'mp4', width: 1280 },
      ],
      large,
    ),
  ).toBe(18);
});
