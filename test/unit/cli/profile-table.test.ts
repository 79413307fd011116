import { expect, it } from 'vitest';
import { profileTable } from '../../../src/cli/profile/profile-table.js';
import { RenderProfile } from '../../../src/render/index.js';

it('a profile says which outputs a card composed, and what the CPU drew for it', () => {
  const profile = new RenderProfile();
  profile.addComposition({ compositor: 'cpu', frames: 5, hostFrames: 0 });
  profile.addComposition({ compositor: 'vulkan', frames: 100, hostFrames: 0 });
  profile.addComposition({ compositor: 'vulkan', frames: 90, hostFrames: 12, deviceFailure: 'A card: It was lost.' });
  expect(profileTable(profile, 1).filter((line) => line.includes('outputs:'))).toEqual([
    '  outputs: 100 frames were composed on the card',
    '  outputs: 90 frames were composed on the card, 12 of them by the CPU, since the card lacks their effects with 10 bits (A card: It was lost.)',
  ]);
});
