import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCycles, listSourceFiles, ownerOf, readSource } from './source-files.js';

/** What each folder of native/ may include besides itself. */
const mayInclude: Record<string, string[]> = {
  core: [],
  devices: ['core'],
  timeline: ['core'],
  kernels: ['core'],
  audio: ['core'],
  bitstream: ['core'],
  formats: ['core'],
  libav: ['core', 'devices', 'kernels', 'bitstream', 'formats'],
  x264: ['core', 'kernels', 'bitstream', 'libav'],
  speech: [],
  sandbox: [],
  vulkan: ['core', 'devices'],
  compositor: ['core', 'devices', 'timeline', 'kernels', 'vulkan'],
  gpu_check: ['core', 'timeline', 'vulkan', 'compositor', 'libav', 'render'],
  render: ['core', 'devices', 'timeline', 'kernels', 'audio', 'formats', 'libav', 'x264', 'vulkan', 'compositor'],
  encoder_bench: ['core', 'libav', 'commands'],
  commands: ['core', 'timeline', 'formats', 'kernels', 'libav', 'compositor', 'render'],
  addon: ['core', 'libav', 'commands'],
  host: ['core', 'libav', 'render', 'sandbox', 'commands'],
};

/** Foreign libraries with one door each. */
const doors: Array<{ name: string; includes: RegExp; allowed: RegExp }> = [
  { name: 'libav', includes: /^lib(av|sw)[a-z]+\//, allowed: /^native\/libav\/av\.h$/ },
  { name: 'Node-API', includes: /^(napi|node_api|js_native_api)/, allowed: /^native\/addon\// },
  { name: "NVIDIA's API", includes: /^ffnvcodec\//, allowed: /^native\/libav\/(av\.h$|hardware\/interop\/)/ },
  { name: 'libva', includes: /^va\//, allowed: /^native\/libav\/hardware\/interop\// },
  { name: 'libebur128', includes: /^ebur128/, allowed: /^native\/audio\// },
  { name: 'Rubber Band', includes: /^rubberband\//, allowed: /^native\/audio\// },
  { name: 'Little CMS', includes: /^lcms2/, allowed: /^native\/libav\/decode\/color\// },
  { name: 'zlib', includes: /^zlib\.h$/, allowed: /^native\/(formats|libav)\// },
  { name: 'the JSON parser', includes: /^rapidjson\//, allowed: /^native\/(timeline|commands|host)\// },
  { name: 'SIMD intrinsics', includes: /^(hwy\/|immintrin|x86intrin)/, allowed: /^native\/(kernels|audio)\// },
  { name: 'Vulkan', includes: /^vulkan\/(vulkan|vk_)/, allowed: /^native\/vulkan\// },
];

const files = listSourceFiles('native').filter((path) => /\.(cc|h)$/.test(path));

interface Include {
  file: string;
  name: string;
  quoted: boolean;
}

const includes: Include[] = files.flatMap((file) =>
  [...readSource(file).matchAll(/^\s*#\s*include\s+(["<])([^">]+)[">]/gm)].map(([, quote, name = '']) => ({ file, name, quoted: quote === '"' })),
);

/** Quoted includes name a file of native/ from its root, or a neighbour. */
function targetOf({ file, name, quoted }: Include): string | undefined {
  if (!quoted) {
    return undefined;
  }
  const candidates = [posix.join('native', name), posix.join(posix.dirname(file), name)];
  return candidates.find((path) => files.includes(path));
}

const edges = includes.flatMap((include) => {
  const target = targetOf(include);
  return target === undefined ? [] : [{ from: include.file, to: target }];
});

describe('the layers of native/', () => {
  it('consist of existing files', () => {
    expect(files.length).toBeGreaterThan(30);
    expect(edges.length).toBeGreaterThan(60);
  });

  it('include only the rooms that the table allows', () => {
    const wrong = edges.filter(({ from, to }) => ownerOf(from) !== ownerOf(to) && !mayInclude[ownerOf(from)]?.includes(ownerOf(to)));
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('have a row in the table for every folder', () => {
    expect([...new Set(files.map(ownerOf))].filter((owner) => mayInclude[owner] === undefined)).toEqual([]);
  });

  it('have no include cycle', () => {
    // A Highway source includes itself once per instruction set; that is its way, not a circle of files.
    expect(findCycles(edges.filter(({ from, to }) => from !== to)).map((cycle) => cycle.join(' → '))).toEqual([]);
  });

  it.each(doors)('include $name only in its own room', ({ includes: pattern, allowed }) => {
    const wrong = includes.filter(({ file, name }) => pattern.test(name) && !allowed.test(file));
    expect(wrong.map(({ file, name }) => `${file} includes ${name}`)).toEqual([]);
  });

  it('keep the compositors independent: all use only native/compositor/plan', () => {
    const forbidden: Record<string, RegExp> = {
      'native/compositor/plan/': /^native\/(vulkan|compositor\/(cpu|vulkan))\//,
      'native/compositor/cpu/': /^native\/(vulkan|compositor\/vulkan)\//,
      'native/compositor/vulkan/': /^native\/(kernels|compositor\/cpu)\//,
      'native/compositor/deep/': /^native\/(vulkan|compositor\/(cpu|vulkan))\//,
    };
    const wrong = edges.filter(({ from, to }) => Object.entries(forbidden).some(([room, pattern]) => from.startsWith(room) && pattern.test(to)));
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('read no environment variables: settings arrive with the timeline', () => {
    expect(files.filter((path) => /\bgetenv\s*\(/.test(readSource(path)))).toEqual([]);
  });

  it('check versions of libav in one file', () => {
    expect(files.filter((path) => /\bLIB(AV|SW)[A-Z]+_VERSION/.test(readSource(path)))).toEqual(['native/libav/av_version.h']);
  });

  it('throw no exceptions', () => {
    expect(files.filter((path) => /^\s*throw\b/m.test(readSource(path)))).toEqual([]);
  });
});
