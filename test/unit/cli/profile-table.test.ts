import { expect, it } from 'vitest';
import { profileTable } from '../../../src/cli/profile/profile-table.js';
import { RenderProfile } from '../../../src/render/index.js';

it('a profile says which outputs a card composed, and what the CPU drew for it', () => {
  const profile = new RenderProfile();
  profile.addComposition({ compositor: 'cpu', frames: 5, hostFrames: 0, videos: [] });
  profile.addComposition({ compositor: 'vulkan', frames: 100, hostFrames: 0, videos: [] });
  profile.addComposition({ compositor: 'vulkan', frames: 90, hostFrames: 12, deviceFailure: 'A card: It was lost.', videos: [] });
  expect(profileTable(profile, 1).filter((line) => line.includes('outputs:'))).toEqual([
    '  outputs: 100 frames were composed on the card',
    '  outputs: 90 frames were composed on the card, 12 of them by the CPU, since the card lacks their effects with 10 bits (A card: It was lost.)',
  ]);
});

it('a profile says how frames reached the encoder and the compositor, and counts their copies', () => {
  const profile = new RenderProfile();
  const segment = {
    frames: 0,
    composedFrames: 0,
    copiedFrames: 0,
    footageFrames: 0,
    maxParallelEncoders: 0,
    bytes: 0,
    decodeSeconds: 0,
    composeSeconds: 0,
    encodeSeconds: 0,
    faults: [],
    uncopied: [],
    elements: [],
  };
  const onCard = { backend: 'nvdec', interop: 'cuda', hostCopies: 2, deviceCopies: 50 } as const;
  const onHost = { backend: 'nvdec', interopReason: 'another card composes', hostCopies: 40, deviceCopies: 0 } as const;
  profile.addScene('a', { ...segment, videos: [onCard, onHost] });
  profile.addScene('b', { ...segment, videos: [onCard, { backend: 'software' }], interop: 'cuda-direct', interopCopies: 0 });
  profile.addScene('c', { ...segment, videos: [], interop: 'cuda', interopReason: 'cuda-direct: refused', interopCopies: 40 });
  profile.addScene('d', { ...segment, videos: [], interopReason: 'cuda: refused' });
  profile.addComposition({ compositor: 'vulkan', frames: 50, hostFrames: 0, videos: [onCard] });
  expect(profileTable(profile, 1).filter((line) => line.includes('to the encoder'))).toEqual([
    '  1 segments: frames went from the card to the encoder by cuda-direct, 0 copied on the card',
    '  1 segments: frames went from the card to the encoder by cuda, 40 copied on the card (cuda-direct: refused)',
    '  1 segments: frames went from the card to the encoder through main memory (cuda: refused)',
  ]);
  expect(profileTable(profile, 1).filter((line) => line.includes('decoded frames'))).toEqual([
    '  3 clips: decoded frames stayed on the card by cuda, 150 copied on the card, 6 to main memory',
    '  1 clips: decoded frames passed through main memory, 0 copied on the card, 40 to main memory (another card composes)',
  ]);
});
