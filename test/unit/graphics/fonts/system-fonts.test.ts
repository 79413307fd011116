import { expect, it, vi } from 'vitest';
import { fingerprintSystemFonts, systemFontFolders } from '../../../../src/graphics/fonts/system-fonts.js';

// As in a container that was started with the id of a user without an account.
vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  homedir: () => {
    throw Object.assign(new Error('A system error occurred: uv_os_homedir returned ENOENT (no such file or directory)'), { code: 'ERR_SYSTEM_ERROR' });
  },
}));

it('an account without a home has the fonts of the system', () => {
  expect(systemFontFolders()).toEqual(['/usr/share/fonts', '/usr/local/share/fonts']);
  expect(fingerprintSystemFonts(systemFontFolders())).toMatch(/^[0-9a-f]{16}$/);
});
