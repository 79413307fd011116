const variable = 'DISABLE_SYSTEM_FONTS_LOAD';

/**
 * Loads @napi-rs/canvas without its scan of the system's fonts, which takes most of its start-up time and is not needed to draw with them.
 * The library reads this setting from the environment only.
 */
export function withoutSystemFonts<Library>(load: () => Library): Library {
  const before = process.env[variable];
  process.env[variable] = '1';
  try {
    return load();
  } finally {
    if (before === undefined) delete process.env[variable];
    else process.env[variable] = before;
  }
}
